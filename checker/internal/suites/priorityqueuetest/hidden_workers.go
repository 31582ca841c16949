package priorityqueuetest

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

var concurrencyCases = []conform.Case[Subject]{
	{
		Name:   "done-wakes-a-getter",
		Points: 5,
		Func:   "PriorityQueue.Done",
		Rule:   "Done wakes a waiting getter if the key was added again while it was locked. So does a key whose time comes while a getter waits.",
		Why:    "The last event before a quiet night comes while its object is being reconciled. If Done wakes nobody, a worker handles it in the morning.",
		Hint: []string{
			"Which calls can make a key available? Does each of them wake a getter?",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "returns an item as soon as its unlocked" (with a waiting getter its tests do not defend it)`,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			add(t.Actor, q, "a", "b")
			get(t, q)
			get(t, q)
			add(t.Actor, q, "b", "a")
			one, two, three := parked(t, q, "worker 1"), parked(t, q, "worker 2"), parked(t, q, "worker 3")
			require.Empty(t, one, "Get handed out a key that a worker holds.")
			done(t.Actor, q, "a")
			require.Equal(t, "a", either(t, one, two, three), "Done woke a getter that got another key than the one that was done.")
			done(t.Actor, q, "b")
			require.Equal(t, "b", either(t, one, two, three), "Done woke a getter that got another key than the one that was done.")
			addAfter(t.Actor, q, time.Second, "c")
			require.Equal(t, "c", either(t, one, two, three), "A getter got another key than the one whose time had come.")
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "add-never-blocks",
		Points: 3,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "An add blocks for nothing: while nobody takes keys, the queue holds as many as are added.",
		Why:    "The list after a restart is ten thousand adds in a row, by an event handler, before the first worker starts.",
		Hint: []string{
			"Does anything in your queue have a fixed size? Who empties it while no worker runs?",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue.go: AddWithOpts",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			const n = 2000
			now, later := names("now", n), names("later", n)
			call := t.Call("AddWithOpts of %d keys, one by one, and of %d more that wait", n, n)
			for _, k := range now {
				q.AddWithOpts(AddOpts{}, k)
			}
			q.AddWithOpts(AddOpts{After: time.Second}, later...)
			call.Returned("")
			t.Wait()
			require.Equal(t, n, length(t.Actor, q), "The queue does not hold every key that was added.")
			pass(t, time.Second)
			require.Equal(t, 2*n, length(t.Actor, q), "Not every key became ready when its time had come.")
			for i := range n {
				k, _ := q.Get()
				require.Equal(t, now[i], k, "The keys of one priority did not come in the order in which they were added.")
				q.Done(k)
			}
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "shutdown-releases-everyone",
		Points: 5,
		Func:   "PriorityQueue.ShutDown",
		Rule:   "After ShutDown no Get blocks, whether it was called before or after, and no add has an effect.",
		Why:    "A manager that stops waits for its workers. If one worker sleeps in Get for ever, the pod has to be killed, and its lease has to expire.",
		Hint: []string{
			"How many getters may be waiting? How many does Signal wake?",
			"A later Get has to check the flag itself, before it waits and each time it wakes.",
		},
		Source: "controller-runtime#3239 and #3337, Get blocked after shutdown",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			l := unlimited()
			q := open().New(l)
			add(t.Actor, q, "held")
			get(t, q)
			add(t.Actor, q, "held")
			addAfter(t.Actor, q, time.Second, "waits")
			require.False(t, q.ShuttingDown(), "ShuttingDown is true before ShutDown.")
			var got []<-chan key
			for i := range 4 {
				got = append(got, parked(t, q, fmt.Sprint("worker ", i)))
			}
			shutDown(t.Actor, q)
			for _, g := range got {
				_, some := <-g
				assert.False(t, some, "Get handed out a key that was locked or waiting, because of ShutDown.")
			}
			require.True(t, q.ShuttingDown(), "ShuttingDown is false after ShutDown.")
			add(t.Actor, q, "too late")
			addWith(t.Actor, q, AddOpts{RateLimited: true}, "too late")
			require.Zero(t, l.NumRequeues("too late"), "An add after ShutDown asked the limiter, which counts that as a failure.")
			t.Wait()
			_, shutdown := getWith(t.Actor, q)
			require.True(t, shutdown, "Get did not say that the queue was shut down, or handed out a key that was added later.")
			done(t.Actor, q, "held")
			pass(t, 2*time.Second)
			backlog := true
			for range 3 { // the two keys that were in the queue may still come
				k, shutdown := getWith(t.Actor, q)
				require.NotEqual(t, "too late", k.Item, "A key that was added after ShutDown was handed out.")
				backlog = backlog && !shutdown
			}
			require.False(t, backlog, "Get hands out keys after ShutDown that the queue did not hold.")
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
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			add(t.Actor, q, "first")
			require.Equal(t, key{"first", 0}, get(t, q), "Get returned another key than the only one.")
			for h := range 2 {
				random := rand.New(rand.NewPCG(t.Seed(), uint64(h)))
				t.Go(fmt.Sprint("handler ", h), func(a *conform.Actor) {
					for range 40 {
						i := random.IntN(40)
						addAt(a, q, random.IntN(100), fmt.Sprint("key-", i), fmt.Sprint("key-", i+1), fmt.Sprint("key-", i+2))
						runtime.Gosched() // so that the workers catch up, and wait
					}
				})
			}
			for w := range 3 {
				t.Go(fmt.Sprint("worker ", w), func(a *conform.Actor) {
					for n := 0; ; n++ {
						k, shutdown := getWith(a, q)
						if shutdown {
							return
						}
						if n%16 < 15 { // some are still at work when the queue ends
							done(a, q, k.Item)
						}
					}
				})
			}
			for range t.Rand().IntN(400) {
				runtime.Gosched()
			}
			shutDown(t.Actor, q)
			t.Join()
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
		Mode:   conform.Copies,
		Check:  checkWorkers,
	},
	{
		Name:   "lets-go-of-keys",
		Points: 5,
		Func:   "PriorityQueue.Done",
		Rule:   "The queue keeps no memory for keys that were handed out and are done.",
		Why:    "client-go's queue once kept handed-out items alive in the front of a slice, in controllers that had nothing to do.",
		Hint: []string{
			"When you cut off the last element of a slice, is it gone?",
			"Clear the slot before you shorten the slice. Delete the entry of a key when it is neither queued nor locked.",
		},
		Source: "kubernetes#104991, q[1:] kept popped objects alive",
		Alone:  true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			const keys, size = 512, 16 << 10 // 8 MB of names, twice
			before := probe.Heap()
			call := t.Call("Add, AddAfter, Get and Done of %d keys", 2*keys)
			for i := range 2 * keys {
				name := strings.Repeat("x", size) + fmt.Sprint(i)
				if i < keys {
					q.Add(name)
				} else {
					q.AddAfter(name, time.Second)
				}
			}
			for range 2 * keys {
				k, _ := q.Get()
				require.Greater(t, len(k), size, "Get returned another key than those that were added.")
				q.Done(k)
			}
			call.Returned("")
			t.Wait()
			kept := probe.Growth(before, 4<<20)
			shutDown(t.Actor, q)
			require.Less(t, kept, int64(4<<20), "The queue is empty and still holds memory for hundreds of keys.")
		},
	},
}

// either waits for a key from any of the getters.
func either(t *conform.T, a, b, c <-chan key) string {
	t.Note("wait for a getter")
	for {
		var k key
		var some bool
		select {
		case k, some = <-a:
			if !some {
				a = nil
			}
		case k, some = <-b:
			if !some {
				b = nil
			}
		case k, some = <-c:
			if !some {
				c = nil
			}
		}
		if some {
			return k.Item
		}
	}
}

// shop is a set of keys, handlers that add them and workers that take them.
type shop struct {
	q    Queue
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
	s := &shop{q: open().New(unlimited()), keys: names("key", 6), book: map[string]*account{}, caughtUp: make(chan struct{})}
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
			length(a, s.q)
			call := a.Call("ShuttingDown()")
			call.Returned("%v", s.q.ShuttingDown())
		}
	})
	<-s.caughtUp
	shutDown(t.Actor, s.q)
	t.Join()
}

// handle adds keys, and looks over the books when it has added its last.
func (s *shop) handle(a *conform.Actor, random *rand.Rand) {
	for range 40 {
		k := s.keys[random.IntN(len(s.keys))]
		s.book[k].added.Add(1)
		addAt(a, s.q, random.IntN(3), k)
	}
	s.handlers.Add(-1)
	s.settle()
}

func (s *shop) work(t *conform.T, a *conform.Actor) {
	for {
		k, shutdown := getWith(a, s.q)
		if shutdown {
			return
		}
		account := s.book[k.Item]
		if account == nil {
			t.Errorf("Get handed out a key that nobody added.")
			return
		}
		assert.Equal(t, int32(1), account.holders.Add(1), "A key was handed out while another worker held it.")
		account.seen.Store(account.added.Load())
		for range 1 + account.added.Load()%8 { // at work, while the key is added again
			runtime.Gosched()
		}
		account.holders.Add(-1)
		done(a, s.q, k.Item)
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
