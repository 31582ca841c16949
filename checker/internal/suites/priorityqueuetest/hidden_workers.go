package priorityqueuetest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var concurrencyCases = []conform.Case[Subject]{
	{
		Name:   "done-wakes-a-getter",
		Points: 5,
		Func:   "PriorityQueue.Done",
		Look:   []string{"PriorityQueue.Done", "PriorityQueue.GetWithPriority", "the step that makes a waiting key ready"},
		Rule:   "Done wakes a waiting getter if the key was added again while it was locked. So does a key whose time comes while a getter waits.",
		Why:    "The last event before a quiet night comes while its object is being reconciled. If Done wakes nobody, a worker handles it in the morning.",
		Hint: []string{
			"Which calls can make a key available? Does each of them wake a getter?",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "returns an item as soon as its unlocked" (with a waiting getter its tests do not defend it)`,
		Contract: []string{
			"Done unlocks item. If it was added and became ready meanwhile, it can be handed out now",
			"GetWithPriority blocks until a key can be handed out",
			"An added key is waiting until its time has come, and ready from that instant on",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			q.add("a", "b")
			q.take(t)
			q.take(t)
			q.add("b", "a")
			got := make(chan key, 3)
			for range 3 {
				t.Go("worker", func(a *conform.Actor) {
					if k, shutdown := q.as(a).get(); !shutdown {
						got <- k
					}
				})
			}
			t.Wait()
			waits(t, got, "workers hold both keys")
			q.Done("a")
			has(t, got, "a")
			q.Done("b")
			has(t, got, "b")
			q.AddAfter("c", time.Second)
			has(t, got, "c")
			q.ShutDown()
			doneTwiceAtOnce(t, start(t, open()))
			doneWhateverItsPriority(t, start(t, open()))
			besideMoreUrgent(t, open())
			takenFromUnderIt(t, start(t, open()))
			manyGet(t, open())
		},
	},
	{
		Name:   "add-never-blocks",
		Points: 3,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "An add blocks for nothing: while nobody takes keys, the queue holds as many as are added. They are in it when the add returns, and all of those that wait become ready in time.",
		Why:    "The list after a restart is ten thousand adds in a row, by an event handler, before the first worker starts.",
		Hint: []string{
			"Does anything in your queue have a fixed size? Who empties it while no worker runs?",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue.go: AddWithOpts",
		Contract: []string{
			"It does not block. When it returns, its items are in the queue: Len counts those that are ready",
			"Keys that are added without delay become ready one after the other, even if the clock does not move between two adds",
			"Get hands out the ready key with the highest priority; of keys with the same priority, the one that has been ready with that priority for longest",
			"Len returns how many keys are ready",
			"An added key is waiting until its time has come, and ready from that instant on",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const n = 1100
			now, later := names("now", n), names("later", n)
			queue := open().New(fake.Always[string](0))
			q := client{queues.CallingPriority(t.Actor, queue)}
			call := t.Call("Add of %d keys, one by one, and AddWithOpts of %d more that wait", n, n)
			for _, k := range now {
				queue.Add(k)
			}
			queue.AddWithOpts(kit.AddOpts{After: time.Second}, later...)
			call.Returned("")
			t.Wait()
			q.Holds(t, n, "so many keys were added without delay")
			pass(t, time.Second)
			q.Holds(t, 2*n, "the time of the others has come")
			for i := range n {
				k, _ := queue.Get()
				t.Require(k == now[i], "Get handed out %q, and %q was added before it with the same priority.", k, now[i])
				queue.Done(k)
			}
			q.ShutDown()
			manyAtOnce(t, open())
		},
	},
	{
		Name:   "shutdown-releases-everyone",
		Points: 5,
		Func:   "PriorityQueue.ShutDown",
		Look:   []string{"PriorityQueue.ShutDown", "PriorityQueue.ShutDownWithDrain", "PriorityQueue.AddWithOpts", "PriorityQueue.GetWithPriority"},
		Rule:   "After ShutDown no Get blocks, whether it was called before or after, and no add has an effect.",
		Why:    "A manager that stops waits for its workers. If one worker sleeps in Get for ever, the pod has to be killed, and its lease has to expire.",
		Hint: []string{
			"How many getters may be waiting? How many does Signal wake?",
			"A later Get has to check the flag itself, before it waits and each time it wakes.",
		},
		Source: "controller-runtime#3239 and #3337, Get blocked after shutdown",
		Contract: []string{
			"After ShutDown it never blocks, and calls that block while ShutDown is called return",
			"ShuttingDown reports whether ShutDown was called",
			"ShutDown ends the queue: it ignores further adds, and no Get blocks from then on",
			"Without items, and after ShutDown, it does nothing",
			"A key that waits at ShutDown is not handed out before its time",
			"ShutDownWithDrain is ShutDown.",
			"If it waits for them, the queue is shut down from the beginning of that wait",
			"Done may still be called, and Len",
			"NumRequeues returns the rate limiter's number for item",
			"Keys that are still queued at ShutDown may be handed out first or dropped",
			"it can be added meanwhile, and it can become ready, but it is not handed out. A locked key does not block others",
			"Get hands out the ready key with the highest priority; of keys with the same priority, the one that has been ready with that priority for longest",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			endsAtOnce(t, open())
			l := fake.Always[string](0)
			q := limited(t, open(), l)
			q.Add("held")
			q.take(t)
			q.Add("held")
			q.AddAfter("waits", time.Second)
			t.Require(!q.ShuttingDown(), "ShuttingDown is true before ShutDown.")
			got := q.fourParked(t)
			q.ShutDown()
			t.Require(q.ShuttingDown(), "ShutDown has returned, and ShuttingDown is false.")
			q.Add("too late")
			letGo(t, got, "ShutDown")
			q.Add("too late")
			countsNothing(t, q, l)
			t.Wait()
			k, shutdown := q.get()
			t.Require(shutdown, "The queue is shut down, and Get handed out %v: it should have said so, for that key is locked, waits, or was added later.", k)
			q.Done("held")
			pass(t, 2*time.Second)
			backlog := true
			for range 3 { // the two keys that were in the queue may still come
				k, shutdown := q.get()
				t.Require(shutdown || k.Item != "too late", "A key that was added after ShutDown was handed out.")
				backlog = backlog && !shutdown
			}
			t.Require(!backlog, "The queue held two keys when it was shut down, and Get has handed out three since.")
			manyLeave(t, open(), "ShutDown", kit.PriorityQueue[string].ShutDown)
			manyLeave(t, open(), "ShutDownWithDrain", kit.PriorityQueue[string].ShutDownWithDrain)
			stillCalled(t, start(t, open()))
			noAddAfterTheEnd(t, start(t, open()))
			shutDownBehindAnAdd(t, start(t, open()))
			drainIsShutDown(t, open())
			drainLetsGetGo(t, start(t, open()), false)
			drainLetsGetGo(t, start(t, open()), true)
			endsAsItComes(t, open())
			backlogInOrder(t, start(t, open()))
			waitsAtTheEnd(t, start(t, open()))
		},
	},
	{
		Name:   "shutdown-with-a-backlog",
		Points: 5,
		Func:   "PriorityQueue.ShutDown",
		Rule:   "Workers and handlers may be anywhere in the queue when it is shut down: all their calls return.",
		Why:    "SIGTERM can come at any moment. A queue that hands a key to a worker that has just left, and holds its lock meanwhile, never ends.",
		Hint: []string{
			"If one goroutine gives and another takes, what happens when the taker has already returned?",
			"Hold no lock while you wait for another goroutine, or let the getter take the key itself.",
		},
		Source: "controller-runtime#3538; controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestPriorityQueueDoesNotDeadlockOnShutdownWhileHandingOutItems",
		Contract: []string{
			"All methods may be called from any goroutine",
			"After ShutDown it never blocks, and calls that block while ShutDown is called return",
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			q.Add("first")
			q.next(t, key{"first", 0}, "it is the only key")
			for h := range 2 {
				random := rand.New(rand.NewPCG(t.Seed(), uint64(h)))
				t.Go(fmt.Sprint("handler ", h), func(a *conform.Actor) {
					for range 40 {
						i := random.IntN(40)
						q.as(a).at(random.IntN(100), fmt.Sprint("key-", i), fmt.Sprint("key-", i+1), fmt.Sprint("key-", i+2))
						runtime.Gosched() // so that the workers catch up, and wait
					}
				})
			}
			for w := range 3 {
				t.Go(fmt.Sprint("worker ", w), func(a *conform.Actor) {
					for n := 0; ; n++ {
						k, shutdown := q.as(a).get()
						if shutdown {
							return
						}
						if n%16 < 15 { // some are still at work when the queue ends
							q.as(a).Done(k.Item)
						}
					}
				})
			}
			for range t.Rand().IntN(400) {
				runtime.Gosched()
			}
			q.ShutDown()
			t.Join()
			shutDownAsItComes(t, open())
			besideTheEnd(t, open())
			drainBesideDone(t, start(t, open()))
		},
	},
	{
		Name:   "one-worker-per-key",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Rule:   "However many handlers add and workers take, no key is ever held by two workers, every add is followed by a Get of its key, and there is no data race.",
		Why:    "MaxConcurrentReconciles: 8 relies on this. People write reconcilers as if each were alone with its object.",
		Hint: []string{
			"Look for a field that one method reads without the lock under which another writes it.",
			"Taking a key out of the queue and locking it are one step.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestFuzzPriorityQueue",
		Contract: []string{
			"All methods may be called from any goroutine",
			"it can be added meanwhile, and it can become ready, but it is not handed out",
			"Done unlocks item. If it was added and became ready meanwhile, it can be handed out now",
		},
		Mode:  conform.Copies,
		Check: checkWorkers,
	},
	{
		Name:   "lets-go-of-keys",
		Points: 5,
		Func:   "PriorityQueue.Done",
		Look:   []string{"PriorityQueue.GetWithPriority", "PriorityQueue.Done", "the Pop of your heap", "PriorityQueue.ShutDown", "PriorityQueue.ShutDownWithDrain", "PriorityQueue.AddWithOpts", "PriorityQueue.Len"},
		Rule:   "The queue keeps no memory for keys that were handed out and are done, and nothing keeps the queue once it is shut down.",
		Why:    "client-go's queue once kept handed-out items alive in the front of a slice, in controllers that had nothing to do.",
		Hint: []string{
			"When you cut off the last element of a slice, is it gone?",
			"Clear the slot before you shorten the slice. Delete the entry of a key when it is neither queued nor locked.",
		},
		Source: "kubernetes#104991, q[1:] kept popped objects alive",
		Contract: []string{
			"The queue keeps nothing of a key that is neither queued nor locked, not even in the unused part of an array, before or behind what a slice shows of it, and no empty list for the priority that it had",
			"The queue may keep the slice of items and o.Priority until all of the items have been handed out and are done",
			"ShutDown ends whatever the queue has started, timers included: before it returns or soon after, and not only when a delay is over",
			"Without items, and after ShutDown, it does nothing",
		},
		Mode:  conform.Virtual,
		Alone: true,
		Check: func(t *conform.T, open func() Subject) {
			keepsNoneAtAll(t, open())
			keepsNoRetries(t, open())
			keepsNoPriority(t, open().New(fake.Always[string](0)))
			q := open().New(fake.Always[string](0))
			keepsNotTheLast(t, q)
			q.ShutDown()
			keepsNotTheFirst(t, open().New(fake.Always[string](0)))
			keepsNoTime(t, open().New(fake.Always[string](0)))
			keepsNoPointer(t, open().New(fake.Always[string](0)))
			for _, e := range ends {
				keepsNoQueue(t, open(), e)
			}
		},
	},
}

// shop is a set of keys, handlers that add them and workers that take them.
type shop struct {
	q    client
	keys []string
	book map[string]*account // read only; the accounts are atomic

	handlers atomic.Int32  // still at work
	once     sync.Once     // closes caughtUp
	caughtUp chan struct{} // closed when every add was followed by a Get of its key
}

// account is what was seen of one key. Its atomics order only goroutines that
// meet on that key, and the queue has to order those anyway.
type account struct {
	added   atomic.Int64 // raised before each Add
	seen    atomic.Int64 // value of added after the last Get
	holders atomic.Int32
}

func checkWorkers(t *conform.T, open func() Subject) {
	s := &shop{q: start(t, open()), keys: names("key", 6), book: map[string]*account{}, caughtUp: make(chan struct{})}
	for _, k := range s.keys {
		s.book[k] = new(account)
	}
	const handlers, workers = 3, 3
	s.handlers.Store(handlers)
	for h := range handlers {
		random := rand.New(rand.NewPCG(t.Seed(), uint64(h)))
		t.Go(fmt.Sprint("handler ", h), func(a *conform.Actor) { s.handle(a, random) })
	}
	for w := range workers {
		t.Go(fmt.Sprint("worker ", w), func(a *conform.Actor) { s.work(t, a) })
	}
	t.Go("metrics", func(a *conform.Actor) {
		for range 20 {
			s.q.as(a).Len()
			call := a.Call("ShuttingDown()")
			call.Returned("%v", s.q.ShuttingDown())
		}
	})
	<-s.caughtUp
	s.q.ShutDown()
	t.Join()
}

// handle adds keys, and looks over the books when it has added its last.
func (s *shop) handle(a *conform.Actor, random *rand.Rand) {
	for range 40 {
		k := s.keys[random.IntN(len(s.keys))]
		s.book[k].added.Add(1)
		switch q, how := s.q.as(a), random.IntN(5); how {
		case 3:
			q.Add(k)
		case 4:
			q.AddRateLimited(k)
		default:
			q.at(how, k)
		}
	}
	s.handlers.Add(-1)
	s.settle()
}

func (s *shop) work(t *conform.T, a *conform.Actor) {
	for {
		k, shutdown := s.q.as(a).get()
		if shutdown {
			return
		}
		account := s.book[k.Item]
		if account == nil {
			t.Errorf("Get handed out %q, which nobody added.", k.Item)
			return
		}
		n := account.holders.Add(1)
		t.Assert(n == 1, "%q was handed out while %d other workers held it.", k.Item, n-1)
		account.seen.Store(account.added.Load())
		for range 1 + account.added.Load()%8 { // at work, while the key is added again
			runtime.Gosched()
		}
		account.holders.Add(-1)
		s.q.as(a).Done(k.Item)
		s.settle()
	}
}

// settle ends the case once no handler is left and every key was seen since it
// was last added. The goroutine that does the last of these things ends the case. With a
// queue that loses a key all of them wait, which is a deadlock.
func (s *shop) settle() {
	if s.handlers.Load() > 0 {
		return
	}
	for _, account := range s.book {
		if account.seen.Load() < account.added.Load() {
			return
		}
	}
	s.once.Do(func() { close(s.caughtUp) })
}
