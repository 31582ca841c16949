package priorityqueuetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var stateCases = []conform.Case[Subject]{
	{
		Name:   "every-add-in-every-state",
		Points: 3,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "Every kind of add does the same to a key, whether the key is new, waits, is ready or is locked: of a queued key the higher priority and the earlier time count, each for itself. A rate limited add asks the limiter once.",
		Why:    "A retry, a resync and an edit can meet on one key, while it waits and while a worker holds it. A rule that holds for plain adds only loses the edit's priority or the retry's time.",
		Hint: []string{
			"Write a table: in how many states can a key be, and which adds are there? Does your code treat any cell in a way of its own?",
			"Work out priority and delay first, from o and from the limiter. What follows needs only these two, and not how they came about.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue.go: lockedAddWithOpts; the contract of this lab",
		Contract: []string{
			"A key that is in the queue already stays there once, with the higher of both priorities and the earlier of both times: adding a key again never lowers its priority or puts it off, and a waiting key that is added without delay is ready at once, and is handed out only once",
			"Priority and time do not depend on each other",
			"A locked key that is added starts afresh: with this time and this priority, whatever its priority was when it was handed out",
			"A limit of zero or less is no delay, even if o.After is set",
			"Zero or less is at once",
			"If After is greater than zero too, the shorter of both counts",
			"The limiter is asked once for every item that is added rate limited, in their order, whether the key is in the queue or not",
			"If o.RateLimited is set and o.After is below zero, it is left open which of the two counts, and the limiter is asked all the same",
			"A ready key whose priority rises goes behind those that have the higher priority already; one whose priority does not rise keeps its place",
			"An added key is waiting until its time has come, and ready from that instant on",
			"Len returns how many keys are ready. A locked key counts if it was added again and is ready",
		},
		Check: func(t *conform.T, open func() Subject) {
			for _, s := range states {
				for _, w := range ways() {
					for _, priority := range []*int{new(-1), nil, new(1)} {
						w.o.Priority = priority
						t.Virtual(func(t *conform.T) { cell{s, w}.check(t, open()) })
					}
				}
			}
		},
	},
}

// state is where the key “a” stands before it is added (once more).
type state struct {
	what                   string
	locked, waiting, ready bool
}

var states = []state{
	{what: "is not in the queue"},
	{what: "is locked, and is not in the queue", locked: true},
	{what: "waits until 10s, with priority 0", waiting: true},
	{what: "waits until 10s, with priority 0, and is locked", waiting: true, locked: true},
	{what: "is ready, with priority 0", ready: true},
	{what: "is ready, with priority 0, and is locked", ready: true, locked: true},
}

// Of a key that waits, its time comes until after the state began, and the add in question comes
// again after it.
const (
	until = 10 * time.Second
	again = 4 * time.Second
)

func (s state) enter(t *conform.T, q client) {
	if s.locked {
		q.at(9, "a")
		q.take(t)
	}
	switch {
	case s.waiting:
		q.AddAfter("a", until)
	case s.ready:
		q.Add("a")
	}
}

// way is a way to add a key, but for the priority, and what the limiter says if it is asked.
type way struct {
	o     kit.AddOpts
	limit time.Duration
}

// ways are all of them. Of a key that waits, a delay of 3s brings the time forward. One of 8s does
// not, though it is shorter than the first was.
func ways() []way {
	delays := []time.Duration{0, -time.Second, 3 * time.Second, 8 * time.Second}
	var all []way
	for _, after := range delays {
		all = append(all, way{o: kit.AddOpts{After: after}})
		for _, limit := range delays {
			all = append(all, way{kit.AddOpts{After: after, RateLimited: true}, limit})
		}
	}
	return all
}

// delay is how long an add waits. Zero or less is no delay.
func (w way) delay() time.Duration {
	switch {
	case !w.o.RateLimited:
		return w.o.After
	case w.o.After > 0:
		return min(w.o.After, w.limit)
	default:
		return w.limit
	}
}

// open says that the contract leaves it open whether After counts or the limit.
func (w way) open() bool { return w.o.RateLimited && w.o.After < 0 && w.limit > 0 }

func (w way) String() string {
	var text string
	switch limited := fmt.Sprintf("rate limited (the limiter says %v)", w.limit); {
	case w.o.RateLimited && w.o.After != 0:
		text = fmt.Sprintf("%s with After: %v", limited, w.o.After)
	case w.o.RateLimited:
		text = limited
	case w.o.After != 0:
		text = fmt.Sprintf("with After: %v", w.o.After)
	default:
		text = "without delay"
	}
	return text + fmt.Sprintf(" and with priority %d", w.priority())
}

func (w way) priority() int {
	if w.o.Priority == nil {
		return 0
	}
	return *w.o.Priority
}

// cell is one add in one state.
type cell struct {
	state state
	add   way
}

func (c cell) String() string {
	return fmt.Sprintf("“a” %s. At %v it is added %v", c.state.what, again, c.add)
}

// priority is what “a” has after the add.
func (c cell) priority() int {
	if c.state.waiting || c.state.ready {
		return max(0, c.add.priority())
	}
	return c.add.priority()
}

// time is when “a” is ready, if the add has this delay.
func (c cell) time(delay time.Duration) time.Duration {
	at := again + max(0, delay)
	switch {
	case c.state.ready:
		return 0
	case c.state.waiting:
		return min(until, at)
	default:
		return at
	}
}

// orders are those in which “a” may come, beside two keys that have been ready since shortly
// before the add.
func (c cell) orders(delay time.Duration) [][]key {
	before, front, behind := c.beside(), 0, 0
	for _, k := range before {
		if k.Priority > c.priority() {
			front++
		}
		if k.Priority >= c.priority() {
			behind++
		}
	}
	first, last := slices.Insert(slices.Clone(before), front, key{"a", c.priority()}), slices.Insert(before, behind, key{"a", c.priority()})
	switch {
	case c.state.ready && c.priority() == 0:
		return [][]key{first} // its priority has not risen, and it was ready before them
	case c.state.waiting && delay <= 0:
		return [][]key{last, first}
	default:
		return [][]key{last}
	}
}

// beside are the other keys.
func (c cell) beside() []key { return []key{{"more urgent", 1}, {"plain", 0}} }

func (c cell) check(t *conform.T, s Subject) {
	l := fake.Always[string](c.add.limit)
	q := limited(t, s, l)
	c.state.enter(t, q)
	pass(t, again)
	for _, k := range c.beside() {
		q.at(k.Priority, k.Item)
	}
	q.AddWithOpts(c.add.o, "a")
	t.Wait()
	c.requireAsked(t, l.Asked())
	delay := c.add.delay()
	if c.add.open() && !c.state.ready && q.Len() > len(c.beside()) {
		delay = -1
	}
	c.comesInTime(t, q, c.time(delay))
	if c.state.locked {
		q.Done("a")
	}
	var got []key
	for range len(c.beside()) + 1 {
		k := q.take(t)
		q.Done(k.Item)
		got = append(got, k)
	}
	c.requireOrder(t, got, c.orders(delay))
	pass(t, time.Hour)
	q.Holds(t, 0, c.String()+". It has come, and it comes only once")
	q.ShutDown()
}

// requireAsked looks at how often the limiter was asked.
func (c cell) requireAsked(t *conform.T, asked int) {
	if !c.add.o.RateLimited {
		t.Require(asked == 0, "%v. The add is not rate limited, and the limiter was asked %s.", c, conform.Count(asked, "time"))
		return
	}
	t.Require(asked == 1, "%v. The limiter was asked %s, and is asked once for every item that is added rate limited.", c, conform.Count(asked, "time"))
}

// comesInTime requires that “a” is ready at this time and not before it.
func (c cell) comesInTime(t *conform.T, q client, at time.Duration) {
	others := len(c.beside())
	if at > again {
		q.Holds(t, others, fmt.Sprintf("two other keys are. %v, so its time comes at %v, and it is %v", c, at, again))
		pass(t, at-again-1)
		q.Holds(t, others, fmt.Sprintf("two other keys are. %v, so its time comes at %v, in 1ns", c, at))
		pass(t, 1)
	}
	q.Holds(t, others+1, fmt.Sprintf("“a” is, and so are two other keys. %v, so its time came at %v", c, at))
}

// requireOrder requires that keys came in one of the orders.
func (c cell) requireOrder(t *conform.T, got []key, orders [][]key) {
	for _, order := range orders {
		if slices.Equal(got, order) {
			return
		}
	}
	i := 0
	for i < len(got)-1 && slices.ContainsFunc(orders, func(order []key) bool { return slices.Equal(order[:i+1], got[:i+1]) }) {
		i++
	}
	t.Fatalf("%v, so it has priority %d. When all keys were ready, %v came in place %d, and %v was due there.", c, c.priority(), got[i], i+1, orders[0][i])
}
