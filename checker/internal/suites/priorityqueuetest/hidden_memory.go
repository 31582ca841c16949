package priorityqueuetest

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// heldAndAdded has a worker take item, while nothing else is ready, and add it again with a delay.
func heldAndAdded(q kit.PriorityQueue[string], item string) {
	q.Add(item)
	held, _ := q.Get()
	q.AddAfter(held, time.Second)
	q.Done(held)
}

// keepsNone lets 2 MiB of keys through a queue, all of them queued before the first is taken, and
// requires that nothing of them is left.
func keepsNone(t *conform.T, q kit.PriorityQueue[string], how string, add func(items []string)) {
	const keys, size, limit = 256, 8 << 10, 1 << 20
	before := probe.Heap()
	call := t.Call("Add of %d keys of %d KiB %s, and Get of each and Done twice", keys, size>>10, how)
	add(large(size, keys))
	for range keys {
		k, _ := q.Get()
		t.Require(len(k) > size, "Keys of %d bytes and more were added, and Get handed out one of %d bytes.", size, len(k))
		q.Done(k)
		q.Done(k) // does nothing
	}
	call.Returned("")
	rest(t)
	kept := probe.Growth(before, limit)
	t.Require(kept < limit, "%d keys of %d KiB were added %s, have come and are done, and the queue still holds %d KiB.", keys, size>>10, how, kept>>10)
}

// rest lets the subject come to rest, and some time pass: until then a bubble keeps a timer that
// was stopped, with all that its function refers to.
func rest(t *conform.T) {
	t.Wait()
	time.Sleep(time.Millisecond)
	t.Wait()
}

// large makes n different keys of size bytes and a few more.
func large(size, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = strings.Repeat("x", size) + fmt.Sprint(i)
	}
	return all
}

// each adds keys one by one.
func each(add func(item string)) func(items []string) {
	return func(items []string) {
		for _, item := range items {
			add(item)
		}
	}
}

// keepsNoneAtAll lets keys through a queue in which one key stays, in all ways in which one worker
// or many handlers add them.
func keepsNoneAtAll(t *conform.T, s Subject) {
	q := s.New(fake.Always[string](0))
	add := func(o kit.AddOpts, items ...string) { q.AddWithOpts(o, items...) }
	keepsNone(t, q, "without delay", each(q.Add))
	keepsNone(t, q, "with a delay", each(func(item string) { q.AddAfter(item, time.Second) }))
	keepsNone(t, q, "with a delay, and then without", each(func(item string) { q.AddAfter(item, time.Hour); q.Add(item) }))
	keepsNone(t, q, "with a delay, and then with a shorter one", each(func(item string) { q.AddAfter(item, 24*time.Hour); q.AddAfter(item, time.Second) }))
	keepsNone(t, q, "with a delay, by the worker that held them", each(func(item string) { heldAndAdded(q, item) }))
	keepsNone(t, q, "in one call", func(items []string) { add(kit.AddOpts{}, items...) })
	keepsNone(t, q, "in one call, with a delay", func(items []string) { add(kit.AddOpts{After: time.Second}, items...) })
	add(kit.AddOpts{Priority: new(-1)}, "less urgent") // stays in the queue
	keepsNone(t, q, "with a low priority, and then with a higher one", each(func(item string) {
		add(kit.AddOpts{Priority: new(-2)}, item)
		q.Add(item)
	}))
	keepsNone(t, q, "with a priority", each(func(item string) { add(kit.AddOpts{Priority: new(5)}, item) }))
	q.ShutDown()
	keepsNothingMore(t, q)
}

// forgetful is a limiter that keeps nothing of a key: once it was asked, each key has failed once.
type forgetful struct{ asked atomic.Bool }

func (l *forgetful) When(string) time.Duration { l.asked.Store(true); return time.Second }

func (l *forgetful) Forget(string) {}

func (l *forgetful) NumRequeues(string) int {
	if l.asked.Load() {
		return 1
	}
	return 0
}

// keepsNoRetries has a worker add each key once more while it holds it, in every way, and with
// every way in which the key came first.
func keepsNoRetries(t *conform.T, s Subject) {
	const keys, size, limit = 256, 8 << 10, 1 << 20
	q := s.New(new(forgetful))
	ways := []struct {
		name string
		add  func(item string)
	}{
		{"Add", q.Add},
		{"AddAfter", func(item string) { q.AddAfter(item, time.Second) }},
		{"AddRateLimited", q.AddRateLimited},
	}
	for _, first := range ways {
		for _, again := range ways {
			before := probe.Heap()
			call := t.Call("%s, Get, %s, Done, Get and Done, with each of %d keys of %d KiB", first.name, again.name, keys, size>>10)
			for _, item := range large(size, keys) {
				first.add(item)
				q.Get()
				again.add(item)
				q.Done(item)
				q.Get()
				q.Done(item)
			}
			call.Returned("")
			rest(t)
			kept := probe.Growth(before, limit)
			t.Require(kept < limit, "%d keys of %d KiB came by %s, and once more by %s of the worker that held them. All are done, no key is queued, and the queue still holds %d KiB.", keys, size>>10, first.name, again.name, kept>>10)
		}
	}
	q.ShutDown()
}

// keepsNoPriority lets one key through a queue again and again, each time with priorities and
// pointers to them that the queue has not seen before.
func keepsNoPriority(t *conform.T, q kit.PriorityQueue[string]) {
	const rounds, limit = 2500, 64 << 10
	before := probe.Heap()
	call := t.Call("AddWithOpts(…, a) with two priorities, Get and Done(a), %d times, each time with other priorities", rounds)
	for i := range rounds {
		q.AddWithOpts(kit.AddOpts{Priority: new(2 * i)}, "a")
		q.AddWithOpts(kit.AddOpts{Priority: new(2*i + 1)}, "a")
		q.Get()
		q.Done("a")
	}
	call.Returned("")
	rest(t)
	kept := probe.Growth(before, limit)
	t.Require(kept < limit, "The key “a” came %d times, each time with priorities that it never had before. It is done, no key is queued, and the queue still holds %d KiB: it keeps something of each priority.", rounds, kept>>10)
	q.ShutDown()
}

// keepsNotTheLast lets one key of 2 MiB through an empty queue.
func keepsNotTheLast(t *conform.T, q kit.PriorityQueue[string]) {
	const size = 2 << 20
	before := probe.Heap()
	call := t.Call("AddAfter(a, 24h), Add(a), Get and Done(a), with one key of 2 MiB")
	item := strings.Repeat("a", size)
	q.AddAfter(item, 24*time.Hour)
	q.Add(item)
	item, _ = q.Get()
	q.Done(item)
	call.Returned("")
	rest(t)
	kept := probe.Growth(before, size/2)
	t.Require(kept < size/2, "A key of 2 MiB was added with a delay and without, has come and is done, and the queue still holds %d KiB: of the one key that was the last to come or to wait.", kept>>10)
}

// keepsNotTheFirst lets keys of 2 MiB leave a queue in which others stay that were added after them.
// Each is added by a call of its own, because the queue may keep the items of a call until all are done.
func keepsNotTheFirst(t *conform.T, q kit.PriorityQueue[string]) {
	const size = 2 << 20
	low, high := kit.AddOpts{Priority: new(-1)}, kit.AddOpts{Priority: new(1)}
	for _, c := range []struct {
		how string
		add func(item string)
	}{
		{"Add(k), Add(a), Add(b) and Add(c)", func(item string) { each(q.Add)([]string{item, "a", "b", "c"}) }},
		{"AddWithOpts({Priority: -1}, …) of k and of d, and AddWithOpts({Priority: 1}, k), which raises it", func(item string) { q.AddWithOpts(low, item); q.AddWithOpts(low, "d"); q.AddWithOpts(high, item) }},
		{"AddAfter(k, 1h), AddAfter(f, 2h) and AddWithOpts({Priority: 1}, k), which ends its wait", func(item string) {
			q.AddAfter(item, time.Hour)
			q.AddAfter("f", 2*time.Hour)
			q.AddWithOpts(high, item)
		}},
		{"AddWithOpts({After: 1s, Priority: 1}, k) and AddAfter(g, 2h), with 2s after them", func(item string) {
			q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(1)}, item)
			q.AddAfter("g", 2*time.Hour)
			time.Sleep(2 * time.Second)
		}},
	} {
		before := probe.Heap()
		call := t.Call("%s, Get and Done(k), with a key k of 2 MiB", c.how)
		c.add(strings.Repeat("k", size))
		t.Wait()
		item, _ := q.Get()
		t.Require(len(item) == size, "A key of 2 MiB is ready, it was added before all others of its priority, and no key has a higher one. Get handed out %q.", item[:min(len(item), 20)])
		q.Done(item)
		call.Returned("")
		rest(t)
		kept := probe.Growth(before, size/2)
		t.Require(kept < size/2, "A key of 2 MiB was added (%s). It has come and is done, others stay in the queue, and the queue still holds %d KiB: of the key that left. A slice that is cut at its front (s = s[1:]) keeps what stood there.", c.how, kept>>10)
	}
	q.ShutDown()
}

// keepsNoTime lets one key through a queue again and again, each time with times that the queue has
// not seen before and that an add then makes void. It looks when all of them are over.
func keepsNoTime(t *conform.T, q kit.PriorityQueue[string]) {
	const rounds, limit = 1500, 64 << 10
	before := probe.Heap()
	call := t.Call("AddAfter(a, …) with two delays of hours, Add(a), Get and Done(a), %d times, each time with other delays", rounds)
	for i := range rounds {
		q.AddAfter("a", 2*time.Hour+time.Duration(i)*time.Millisecond)
		q.AddAfter("a", time.Hour+time.Duration(i)*time.Millisecond)
		q.Add("a")
		q.Get()
		q.Done("a")
	}
	call.Returned("")
	time.Sleep(3 * time.Hour)
	rest(t)
	kept := probe.Growth(before, limit)
	t.Require(kept < limit, "The key “a” came %d times. Each time it had waited for times that it never had before, and Add ended the wait. It is done, no key is queued, and the queue still holds %d KiB: it keeps something of each time.", rounds, kept>>10)
	q.ShutDown()
}

// pointed is a priority with so much around it that it is seen whether a pointer to it is kept.
type pointed struct {
	priority int
	_        [2 << 20]byte
}

// keepsNoPointer adds a key with a pointer to a priority, once while nothing is queued and once
// while the key is queued already.
func keepsNoPointer(t *conform.T, q kit.PriorityQueue[string]) {
	const size = 2 << 20
	before := probe.Heap()
	call := t.Call("AddWithOpts({Priority: …}, a), twice, Get and Done(a), with pointers to priorities in values of 2 MiB")
	for i := range 2 {
		p := &pointed{priority: i}
		q.AddWithOpts(kit.AddOpts{Priority: &p.priority}, "a")
	}
	q.Get()
	q.Done("a")
	call.Returned("")
	rest(t)
	kept := probe.Growth(before, size/2)
	t.Require(kept < size/2, "A key was added with o.Priority, has come and is done, and the queue still holds %d KiB: what o.Priority points into. The queue may keep o.Priority until all of the items have been handed out and are done.", kept>>10)
	q.ShutDown()
}

// ending is a way in which a queue comes to its end while keys wait for hours.
type ending struct {
	what string
	do   func(q kit.PriorityQueue[string])
	asks bool // the limiter, and ShutDown is called meanwhile
}

var ends = []ending{
	{"AddAfter(a, 2h), AddAfter(b, 1h), AddAfter(c, 1s) and ShutDown a second later", func(q kit.PriorityQueue[string]) {
		q.AddAfter(heavy("a"), 2*time.Hour)
		q.AddAfter(heavy("b"), time.Hour)
		q.AddAfter(heavy("c"), time.Second)
		time.Sleep(time.Second)
		q.ShutDown()
	}, false},
	{"AddAfter(a, 1h) and ShutDown", func(q kit.PriorityQueue[string]) {
		q.AddAfter(heavy("a"), time.Hour)
		q.ShutDown()
	}, false},
	{"AddAfter(a, 2h), AddAfter(b, 1h) and ShutDownWithDrain", func(q kit.PriorityQueue[string]) {
		q.AddAfter(heavy("a"), 2*time.Hour)
		q.AddAfter(heavy("b"), time.Hour)
		q.ShutDownWithDrain()
	}, false},
	{"Add(held), Get, AddAfter(a, 1h), AddAfter(held, 1h), ShutDown and Done(held)", func(q kit.PriorityQueue[string]) {
		q.Add("held")
		held, _ := q.Get()
		q.AddAfter(heavy("a"), time.Hour)
		q.AddAfter(held, time.Hour)
		q.ShutDown()
		q.Done(held)
	}, false},
	{"AddAfter(a, 1h), Add(a), which ends its wait, and ShutDown", func(q kit.PriorityQueue[string]) {
		q.AddAfter(heavy("a"), time.Hour)
		q.Add(heavy("a"))
		q.ShutDown()
	}, false},
	{"AddAfter(a, 2h), AddAfter(a, 1s), which brings it forward, and ShutDown", func(q kit.PriorityQueue[string]) {
		q.AddAfter(heavy("a"), 2*time.Hour)
		q.AddAfter(heavy("a"), time.Second)
		q.ShutDown()
	}, false},
	{"AddAfter(a, 1ms), AddAfter(b, 1h), ShutDown, and Len 3ms later", func(q kit.PriorityQueue[string]) {
		q.AddAfter(heavy("a"), time.Millisecond)
		q.AddAfter(heavy("b"), time.Hour)
		q.ShutDown()
		time.Sleep(3 * time.Millisecond)
		q.Len()
	}, false},
	{"AddAfter(a, 1ms), AddAfter(b, 1h), ShutDown, and Get and Done(a) 3ms later", func(q kit.PriorityQueue[string]) {
		q.AddAfter(heavy("a"), time.Millisecond)
		q.AddAfter(heavy("b"), time.Hour)
		q.ShutDown()
		time.Sleep(3 * time.Millisecond)
		q.Get()
		q.Done(heavy("a"))
	}, false},
	{"AddRateLimited(a), with ShutDown while the limiter is asked, which says 1h,", func(q kit.PriorityQueue[string]) {
		q.AddRateLimited(heavy("a"))
	}, true},
}

// weight is what a key and a limiter weigh here.
const weight = 32 << 10

func heavy(name string) string { return strings.Repeat(name, weight) }

// keepsNoQueue has queues come to their end, and forgets them. What keeps a queue keeps its
// limiter or a key that waits.
func keepsNoQueue(t *conform.T, s Subject, e ending) {
	const queues, limit = 32, 32 * weight / 2
	before := probe.Heap()
	call := t.Call("New and %s, %d times, with keys and limiters of %d KiB", e.what, queues, weight>>10)
	for range queues {
		asked, ended := make(chan struct{}), new(atomic.Bool)
		ask := sync.OnceFunc(func() { close(asked) })
		q := s.New(anHour(make([]byte, weight), ask, ended))
		if e.asks {
			t.Go("stopper", func(*conform.Actor) { <-asked; q.ShutDown(); ended.Store(true) })
		}
		e.do(q)
		t.Wait()
		ask() // if the queue has not asked its limiter, which is another case's
		t.Join()
	}
	time.Sleep(time.Second)
	call.Returned("")
	t.Wait()
	kept := probe.Growth(before, limit)
	t.Require(kept < limit, "%d queues were shut down (%s) and are used no longer, and %d KiB of them, their keys and their limiters are still held: by what they started and ShutDown did not end.", queues, e.what, kept>>10)
}

// anHour is a limiter that keeps weight. When it is asked it calls asked, lets others run until
// what that began has ended, but not for long, since the queue may hold a lock, and says an hour.
func anHour(weight []byte, asked func(), ended *atomic.Bool) kit.RateLimiter[string] {
	return fake.NewLimiter(func(string, int) time.Duration {
		asked()
		for range 100 {
			if ended.Load() {
				break
			}
			runtime.Gosched()
		}
		runtime.KeepAlive(weight)
		return time.Hour
	})
}

// keepsNothingMore adds keys after ShutDown.
func keepsNothingMore(t *conform.T, q kit.PriorityQueue[string]) {
	const keys, size, limit = 128, 4 << 10, 256 << 10
	before := probe.Heap()
	call := t.Call("Add and AddAfter(…, 1h) of %d keys of %d KiB, after ShutDown", keys, size>>10)
	for i := range keys {
		q.Add(strings.Repeat("x", size) + fmt.Sprint(i))
		q.AddAfter(strings.Repeat("y", size)+fmt.Sprint(i), time.Hour)
	}
	call.Returned("")
	t.Wait()
	kept := probe.Growth(before, limit)
	t.Require(kept < limit, "%d keys of %d KiB were added after ShutDown, and the queue holds %d KiB more than before: an add does nothing then.", 2*keys, size>>10, kept>>10)
	t.Require(q.ShuttingDown(), "ShutDown was called, and ShuttingDown is false.")
}
