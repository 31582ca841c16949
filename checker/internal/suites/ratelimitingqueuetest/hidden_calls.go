package ratelimitingqueuetest

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// hooked is a delaying queue that first calls a function, with the name of its method.
type hooked struct {
	kit.DelayingQueue[string]
	hook func(method string)
}

func (q *hooked) Add(item string) {
	q.hook("Add")
	q.DelayingQueue.Add(item)
}

func (q *hooked) AddAfter(item string, after time.Duration) {
	q.hook("AddAfter")
	q.DelayingQueue.AddAfter(item, after)
}

func (q *hooked) Get() (string, bool) {
	q.hook("Get")
	return q.DelayingQueue.Get()
}

func (q *hooked) Done(item string) {
	q.hook("Done")
	q.DelayingQueue.Done(item)
}

func (q *hooked) Len() int {
	q.hook("Len")
	return q.DelayingQueue.Len()
}

func (q *hooked) ShuttingDown() bool {
	q.hook("ShuttingDown")
	return q.DelayingQueue.ShuttingDown()
}

func (q *hooked) ShutDown() {
	q.hook("ShutDown")
	q.DelayingQueue.ShutDown()
}

func (q *hooked) ShutDownWithDrain() {
	q.hook("ShutDownWithDrain")
	q.DelayingQueue.ShutDownWithDrain()
}

// hookedLimiter is a limiter that first calls a function, with the name of its method.
type hookedLimiter struct {
	*fake.Limiter[string]
	hook func(method string)
}

func (l hookedLimiter) When(item string) time.Duration {
	l.hook("When")
	return l.Limiter.When(item)
}

func (l hookedLimiter) NumRequeues(item string) int {
	l.hook("NumRequeues")
	return l.Limiter.NumRequeues(item)
}

func (l hookedLimiter) Forget(item string) {
	l.hook("Forget")
	l.Limiter.Forget(item)
}

// unlessUnderWay is a hook that calls back, and does nothing when its own calls come back to it.
func unlessUnderWay(back func(method string)) func(method string) {
	var busy atomic.Bool
	return func(method string) {
		if busy.CompareAndSwap(false, true) {
			defer busy.Store(false)
			back(method)
		}
	}
}

// callsNeither makes a queue, and adds items to it that have not failed.
func callsNeither(t *conform.T, s Subject) {
	var limiter, queue []string
	inner := &hooked{newDelaying(t), func(method string) { queue = append(queue, method) }}
	q := s.Queue(hookedLimiter{fake.Always[string](time.Hour), func(method string) { limiter = append(limiter, method) }}, inner)
	t.Require(len(limiter) == 0, "NewRateLimitingQueue called %s of the limiter: it calls neither limiter nor queue.", strings.Join(limiter, ", "))
	t.Require(len(queue) == 0, "NewRateLimitingQueue called %s of the delaying queue: it calls neither limiter nor queue.", strings.Join(queue, ", "))
	client := queues.CallingRateLimiting(t.Actor, q)
	client.Add("a")
	t.Require(len(limiter) == 0, "Add called %s of the limiter: Add and AddAfter never call the limiter.", strings.Join(limiter, ", "))
	for _, after := range []time.Duration{time.Second, 0, -time.Second} {
		client.AddAfter("b", after)
		t.Require(len(limiter) == 0, "AddAfter with %v called %s of the limiter: Add and AddAfter never call the limiter.", after, strings.Join(limiter, ", "))
	}
}

// oftenFailed does all that may be done for an item that has failed very often, but for Forget.
func oftenFailed(t *conform.T, s Subject) {
	const failures = 200
	inner, limiter := newDelaying(t), fake.Always[string](time.Hour)
	bare := s.Queue(limiter, inner)
	for range failures {
		bare.AddRateLimited("a")
	}
	t.Note("AddRateLimited(\"a\") %d times", failures)
	q := queues.CallingRateLimiting(t.Actor, bare)
	after := func(call string) {
		n := q.NumRequeues("a")
		t.Require(n == failures, "NumRequeues is %d after %d failures and %s, and should be %d: that goes to the delaying queue unchanged, and forgets nothing.", n, failures, call, failures)
	}
	for _, delay := range []time.Duration{-time.Second, 0, 100 * time.Hour} {
		q.AddAfter("a", delay)
		after("AddAfter")
	}
	q.Expect(t, "a")
	after("Get")
	q.Done("a")
	after("Done")
	q.Add("a")
	after("Add")
	q.Expect(t, "a")
	q.Done("a")
	q.ShutDown()
	after("ShutDown")
}

// eachCallsBack calls all methods of a queue whose delaying queue calls back.
func eachCallsBack(t *conform.T, s Subject) {
	q := callingBack(t, s)
	q.Add("a")
	q.Add("b")
	q.Len()
	q.Get()
	q.Done("a")
	q.AddAfter("c", 0)
	q.ShuttingDown()
	q.ShutDown()
	callingBack(t, s).ShutDownWithDrain() // which is empty, so that this returns
}

// callingBack makes a queue on a delaying queue of which each method calls that method of the queue above, and others.
func callingBack(t *conform.T, s Subject) queues.RateLimitingClient {
	inner := &hooked{DelayingQueue: newDelaying(t)}
	q := s.Queue(fake.Always[string](time.Hour), inner)
	inner.hook = unlessUnderWay(func(method string) {
		switch method {
		case "AddAfter":
			q.AddAfter("late", 0)
		case "Get":
			q.Get()
		case "Done":
			q.Done("other") // which Get above has taken
		case "ShutDown", "ShutDownWithDrain":
			q.ShutDown()
		}
		q.Add("other")
		q.Len()
		q.ShuttingDown()
		q.NumRequeues("other")
		q.Forget("other")
	})
	t.Note("a delaying queue whose methods call methods of the queue above, for other items, before they go on")
	return queues.CallingRateLimiting(t.Actor, q)
}

// othersWait has a Get and a ShutDownWithDrain wait, and calls what ends each of them.
func othersWait(t *conform.T, s Subject) {
	bare := s.Queue(fake.Always[string](time.Hour), newDelaying(t))
	q := queues.CallingRateLimiting(t.Actor, bare)
	t.Go("worker", func(a *conform.Actor) { queues.CallingRateLimiting(a, bare).Get() })
	t.Wait()
	q.Len()
	q.ShuttingDown()
	q.Forget("a")
	q.NumRequeues("a")
	q.AddAfter("a", 0)
	t.Join()
	drained := q.Drain(t)
	q.Len()
	q.ShuttingDown()
	q.Add("late")
	q.ShutDown()
	q.Done("a") // if the drain was late and came after ShutDown, it waits for this
	<-drained
	t.Join()
}

// manyCallers has many workers fail at one moment, over a limiter and a delaying queue that take their time.
func manyCallers(t *conform.T, s Subject) {
	const callers = 40
	inner := &busy{newDelaying(t), func(string) { time.Sleep(time.Minute) }}
	q := s.Queue(sleepy{fake.Always[string](time.Hour)}, inner)
	t.Note("a limiter that takes 1m to say 1h, over a delaying queue whose AddAfter takes 1m")
	for who := range callers {
		t.Go(name(who), func(a *conform.Actor) { queues.CallingRateLimiting(a, q).AddRateLimited(name(who)) })
	}
	t.Join()
	took := t.Elapsed()
	t.Require(took == 2*time.Minute, "AddRateLimited was called by %d goroutines at once. The limiter takes 1m and AddAfter 1m, each for any number of callers, and the last AddRateLimited returned after %v: none holds a lock while it calls them.", callers, took)
	q.ShutDown()
}

// idle is a delaying queue without items: each call returns at once.
type idle struct{}

func (idle) Add(string)                     {}
func (idle) AddAfter(string, time.Duration) {}
func (idle) Get() (string, bool)            { return "a", false }
func (idle) Done(string)                    {}
func (idle) Len() int                       { return 0 }
func (idle) ShutDown()                      {}
func (idle) ShutDownWithDrain()             {}
func (idle) ShuttingDown() bool             { return false }

// call is a method of the queue, and the method below that it ends in.
type call struct {
	method, below string
	do            func(q queues.RateLimitingClient)
}

var allCalls = []call{
	{"AddRateLimited", "AddAfter", func(q queues.RateLimitingClient) { q.AddRateLimited("a") }},
	{"Forget", "Forget", func(q queues.RateLimitingClient) { q.Forget("a") }},
	{"NumRequeues", "NumRequeues", func(q queues.RateLimitingClient) { q.NumRequeues("a") }},
	{"Add", "Add", func(q queues.RateLimitingClient) { q.Add("a") }},
	{"AddAfter", "AddAfter", func(q queues.RateLimitingClient) { q.AddAfter("a", time.Second) }},
	{"Get", "Get", func(q queues.RateLimitingClient) { q.Get() }},
	{"Done", "Done", func(q queues.RateLimitingClient) { q.Done("a") }},
	{"Len", "Len", func(q queues.RateLimitingClient) { q.Len() }},
	{"ShuttingDown", "ShuttingDown", func(q queues.RateLimitingClient) { q.ShuttingDown() }},
	{"ShutDown", "ShutDown", func(q queues.RateLimitingClient) { q.ShutDown() }},
	{"ShutDownWithDrain", "ShutDownWithDrain", func(q queues.RateLimitingClient) { q.ShutDownWithDrain() }},
}

// meanwhile has each method of the limiter and of the delaying queue call all methods of the queue before it returns, for the
// same item.
func meanwhile(t *conform.T, s Subject) {
	var mu sync.Mutex // guards arrived
	arrived := map[string]int{}
	arrivals := func(method string) int {
		mu.Lock()
		defer mu.Unlock()
		return arrived[method]
	}
	var inner queues.RateLimitingClient
	back := unlessUnderWay(func(outer string) {
		for _, c := range allCalls {
			before := arrivals(c.below)
			c.do(inner)
			t.Assert(arrivals(c.below) > before, "While %s of the limiter or of the delaying queue was under way for an item, %s of the queue was called for the same item, and returned without calling %s below: each call goes there, whatever else is under way.", outer, c.method, c.below)
		}
	})
	hook := func(method string) {
		mu.Lock()
		arrived[method]++
		mu.Unlock()
		back(method)
	}
	q := s.Queue(hookedLimiter{fake.Always[string](time.Hour), hook}, &hooked{idle{}, hook})
	inner = queues.CallingRateLimiting(t.Named("below"), q)
	t.Note("each method of a limiter and of a delaying queue calls all methods of the queue above, for the same item, before it returns")
	for _, c := range allCalls {
		c.do(queues.CallingRateLimiting(t.Actor, q))
	}
}
