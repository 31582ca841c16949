package delayingqueuetest

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var crowded = []conform.Case[Subject]{
	{
		Name:   "many-producers-at-once",
		Points: 6,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "AddAfter may be called from any number of goroutines at once, and every item comes out.",
		Why:    "Ten informer handlers and sixteen workers share one queue.",
		Hint: []string{
			"Which goroutines touch the heap and the map? If there is more than one, what orders them?",
			"Let one goroutine own them. AddAfter sends, and touches nothing.",
		},
		Source: "The Go Memory Model: a send on a channel is synchronized before the completion of the corresponding receive",
		Mode:   conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			const producers, each = 4, 60
			v, _ := start(t, open())
			for p := range producers {
				t.Go("producer", func(a *conform.Actor) {
					for i := range each {
						item := fmt.Sprintf("%d-%d", p, i)
						voice{v.queue, a}.addAfter(item, time.Duration(i%3)*50*time.Microsecond)
						voice{v.queue, a}.addAfter("all", time.Hour+time.Duration(i)) // all ask for the same one
					}
				})
			}
			seen := map[string]bool{}
			for len(seen) < producers*each { // it waits in Get, not for a time
				item, shutdown := v.get()
				require.False(t, shutdown, "Get said shutdown although nobody had shut the queue down.")
				require.False(t, seen[item], "An item was added twice.")
				seen[item] = true
				v.done(item)
			}
			v.shutDown()
		},
	},
	{
		Name:   "shutdown-against-producers",
		Points: 5,
		Func:   "DelayingQueue.ShutDown",
		Rule:   "ShutDown and AddAfter may meet at any moment: nothing panics and no goroutine is left behind.",
		Why:    "A controller stops when its context ends, and its handlers are not stopped first.",
		Hint: []string{
			"Is there a channel that one goroutine closes and another sends on?",
			"Is there a lock that is held during a send?",
		},
		Source: "client-go util/workqueue/delaying_queue.go: AddAfter; kubernetes#108080 for the send on a closed channel",
		Check: func(t *conform.T, open func() Subject) {
			t.Copies(func(t *conform.T) {
				for range 4 {
					v, _ := start(t, open())
					v.addAfter("first", time.Microsecond)
					item, _ := v.get()
					require.Equal(t, "first", item, "An item was delayed, and Get did not return it.")
					for p := range 3 {
						t.Go("producer", func(a *conform.Actor) {
							for i := range 40 {
								voice{v.queue, a}.addAfter(fmt.Sprintf("%d-%d", p, i), time.Duration(i%2)*time.Hour)
							}
						})
						t.Go("manager", func(a *conform.Actor) { voice{v.queue, a}.shutDown() })
					}
					t.Join()
					for _, shutdown := v.get(); !shutdown; _, shutdown = v.get() {
					}
				}
			})
			shutDownsMeet(t, open())
		},
	},
	{
		Name:   "matches-the-model",
		Points: 7,
		Func:   "DelayingQueue.AddAfter",
		Rule:   "Any sequence of calls of AddAfter and of waits adds the items at the moments that a plain table of moments gives.",
		Why:    "A heap with one wrong index works for weeks, until a certain three keys wait in a certain order.",
		Hint: []string{
			"The history is the shortest sequence that was found. Draw the heap after each call.",
		},
		Source: "model-based testing; client-go util/workqueue/delaying_queue.go: waitForPriorityQueue (no test of upstream finds an index that Swap forgot)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			model.Check(t, 40, func(rt *rapid.T, t *conform.T) {
				v, u := start(t, open())
				m := table{}
				for range rapid.IntRange(1, 300).Draw(rt, "calls") {
					if rapid.IntRange(0, 4).Draw(rt, "dice") == 0 {
						m.elapse(t, u, rapid.IntRange(1, 15).Draw(rt, "seconds"))
					}
					item := string(rune('a' + rapid.IntRange(0, 11).Draw(rt, "item")))
					delay := time.Duration(rapid.IntRange(1, 60).Draw(rt, "delay")) * time.Second
					v.addAfter(item, delay)
					m.put(item, t.Elapsed()+delay)
				}
				m.elapse(t, u, 120)
				v.shutDown()
			})
		},
	},
}

// shutDownsMeet lets two shutdowns of one queue meet, again and again: what two adjacent
// statements do wrong shows in one round of many.
func shutDownsMeet(t *conform.T, s Subject) {
	const rounds = 4000
	var (
		queue   kit.DelayingQueue[string]
		arrived atomic.Int32
		left    atomic.Int32
	)
	meet := func(count *atomic.Int32, round int) {
		for count.Add(1); count.Load() < int32(2*round); {
			runtime.Gosched()
		}
	}
	end := func(round int, shutDown func()) {
		meet(&arrived, round)
		shutDown()
		meet(&left, round)
	}
	t.Note("New, and two shutdowns at once, %d times", rounds)
	t.Go("other manager", func(*conform.Actor) {
		for round := 1; round <= rounds; round++ {
			end(round, func() { queue.ShutDown() })
		}
	})
	for round := 1; round <= rounds; round++ {
		queue = s(new(nowhere))
		if round%2 == 0 {
			end(round, queue.ShutDown)
		} else {
			end(round, queue.ShutDownWithDrain)
		}
	}
	t.Join()
}

// nowhere is a queue underneath that has nothing to do but to be shut down.
type nowhere struct{ down atomic.Bool }

func (n *nowhere) Add(string)          {}
func (n *nowhere) Len() int            { return 0 }
func (n *nowhere) Get() (string, bool) { return "", true }
func (n *nowhere) Done(string)         {}
func (n *nowhere) ShutDown()           { n.down.Store(true) }
func (n *nowhere) ShutDownWithDrain()  { n.down.Store(true) }
func (n *nowhere) ShuttingDown() bool  { return n.down.Load() }

// table is the delaying queue at its most obvious: a table of moments.
type table struct {
	moments map[string]time.Duration
	added   []addition
}

func (m *table) put(item string, at time.Duration) {
	if m.moments == nil {
		m.moments = map[string]time.Duration{}
	}
	if known, ok := m.moments[item]; !ok || at < known {
		m.moments[item] = at
	}
}

// elapse lets the given number of seconds pass and compares what was added meanwhile. It adds
// a millisecond: moments are whole seconds after a call, so nothing is ever due at
// the instant of the next one.
func (m *table) elapse(t *conform.T, u *underneath, seconds int) {
	time.Sleep(time.Duration(seconds)*time.Second + time.Millisecond)
	m.pass(t.Elapsed())
	added := u.soFar()
	slices.SortFunc(added, byMoment) // those of one moment come in any order
	require.Equal(t, m.added, added, "The items that were added, or the moments at which they were, are not what was asked for.")
}

// pass moves everything that is due by now to added, in order.
func (m *table) pass(now time.Duration) {
	var due []addition
	for item, at := range m.moments {
		if at <= now {
			due = append(due, addition{item, at})
			delete(m.moments, item)
		}
	}
	slices.SortFunc(due, byMoment)
	m.added = append(m.added, due...)
}
