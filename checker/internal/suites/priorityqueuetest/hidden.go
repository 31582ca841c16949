package priorityqueuetest

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(orderCases, timeCases, concurrencyCases, stateCases, modelCases)

var orderCases = []conform.Case[Subject]{
	{
		Name:   "raised-never-lowered",
		Points: 5,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "A queued key that is added with a higher priority gets that priority. If it is ready, it stands behind the keys that have this priority already. A lower priority changes nothing.",
		Why:    "A resync a second after a user's edit must not send that edit to the back of ten thousand keys. And among urgent keys, the one that became urgent first has waited longest.",
		Hint: []string{
			"Take the higher of both priorities, not the later one. A waiting key has a priority too.",
			"Which number should a key have that becomes urgent only now? Where does it stand in the heap then?",
			"Give it a new number, and restore the heap.",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "follows FIFO order in the new priority queue when item priority changes", "will not decrease the priority"`,
		Contract: []string{
			"adding a key again never lowers its priority or puts it off",
			"A ready key whose priority rises goes behind those that have the higher priority already; one whose priority does not rise keeps its place",
			"Its place in the order counts from when it became ready, not from Done",
			"A key that is in the queue already stays there once, with the higher of both priorities and the earlier of both times",
			"Keys that are added without delay become ready one after the other, even if the clock does not move between two adds",
			"The caller must not change either, and the queue does not",
			"AddAfter is AddWithOpts with After",
			"AddRateLimited is AddWithOpts with RateLimited",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			raised(t, start(t, open()))
			raisedBehindALockedOne(t, start(t, open()))
			raisedByEveryCall(t, limited(t, open(), fake.Always[string](time.Second)))
			raisedWhileItWaits(t, start(t, open()))
			notLowered(t, start(t, open()))
			raisedAmongMany(t, open)
		},
	},
	{
		Name:   "locked-key-starts-afresh",
		Points: 5,
		Func:   "PriorityQueue.Done",
		Look:   []string{"PriorityQueue.AddWithOpts", "PriorityQueue.Done"},
		Rule:   "However often a locked key is added, it comes once after Done and not before its time, with the highest priority of those adds, whatever its priority was before.",
		Why:    "The event that comes while an object is being reconciled may be news to the reconciler. The queue must not lose it, and one more look is enough.",
		Hint: []string{
			"A locked key is not in the queue. What of its last round may still count?",
			"A locked key can wait as well: neither Done alone nor the time alone makes it come.",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "enqueues a locked item"`,
		Contract: []string{
			"A locked key that is added starts afresh: with this time and this priority, whatever its priority was when it was handed out",
			"A key that is in the queue already stays there once, with the higher of both priorities and the earlier of both times",
			"Done unlocks item. If it was added and became ready meanwhile, it can be handed out now",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			q.at(9, "a")
			q.take(t)
			q.at(-1, "a")
			q.Add("a")
			q.at(-1, "a")
			q.Done("a")
			q.next(t, key{"a", 0}, "it was added while it was locked, and 0 is the highest priority of those adds")
			q.at(-3, "a")
			q.at(-2, "a")
			q.Done("a")
			q.next(t, key{"a", -2}, "it was added while it was locked, and -2 is the highest priority of those adds")

			q.AddAfter("a", time.Second)
			got := q.parked(t, "worker")
			pass(t, 2*time.Second)
			waits(t, got, "a worker holds the only key")
			q.Done("a")
			has(t, got, "a")

			began := t.Elapsed()
			q.AddAfter("a", 3*time.Second)
			pass(t, time.Second)
			q.Done("a")
			got = q.parked(t, "worker")
			pass(t, time.Second)
			waits(t, got, "the only key is done, and its time has not come")
			has(t, got, "a")
			queues.Came(t, "a", t.Elapsed()-began, 3*time.Second, "")
			q.Done("a")
			q.Holds(t, 0, "the only key has come, and is done")
			q.ShutDown()
		},
	},
	{
		Name:   "priority-outranks-time",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Look:   []string{"the order of the ready keys", "the step that makes a waiting key ready"},
		Rule:   "Once keys are ready, their delays no longer count: the higher priority goes first, and within one priority the key that became ready first.",
		Why:    "A retry that has been due for a second must not go before a user's edit, nor before keys that were ready earlier.",
		Hint: []string{
			"What do you compare first in the heap of ready keys?",
			"A waiting key gets its number when it becomes ready, not when it is added.",
		},
		Source: "controller-runtime#3330, readyAt outranked priority; controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestHighPriorityItemThatBecameReadyIsReturnedBeforeLowPriorityItem",
		Contract: []string{
			"Get hands out the ready key with the highest priority; of keys with the same priority, the one that has been ready with that priority for longest",
			"An added key is waiting until its time has come, and ready from that instant on",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			urgentThoughLater(t, start(t, open()))
			q := start(t, open())
			q.AddWithOpts(kit.AddOpts{After: time.Second}, "waited 1s")
			q.AddWithOpts(kit.AddOpts{After: 2 * time.Second}, "waited 2s")
			q.AddWithOpts(kit.AddOpts{After: 3 * time.Second, Priority: new(1)}, "waited 3s")
			q.at(-1, "low")
			q.Add("plain")
			pass(t, 1500*time.Millisecond)
			q.Add("between")
			pass(t, 1501*time.Millisecond) // and not at the very instant of "waited 3s"
			q.at(1, "last")
			q.comes(t, slices.Concat(at(1, "waited 3s", "last"), at(0, "plain", "waited 1s", "between", "waited 2s"), at(-1, "low")), "keys come by priority, and then by when they became ready")
			q.ShutDown()
		},
	},
	{
		Name:   "priority-survives-backoff",
		Points: 5,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "A key that is added rate limited, or with a delay, comes back with the priority it was added with.",
		Why:    "A failure does not change how urgent a key is. A controller that forgets the priority on retry puts old work level with a user's edit after one conflict.",
		Hint: []string{
			"AddOpts can set both RateLimited and Priority.",
		},
		Source: "controller-runtime#3157, priority lost on requeue; controller-runtime pkg/internal/controller/controller.go: reconcileHandler",
		Contract: []string{
			"(now, or later by o.After or by what the limiter says of it; kit.AddOpts says which of the two counts) and with a priority",
			"A locked key that is added starts afresh: with this time and this priority, whatever its priority was when it was handed out",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := limited(t, open(), fake.Always[string](time.Second))
			q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(9)}, "delayed")
			q.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: new(8)}, "failed")
			pass(t, time.Second)
			q.comes(t, at(9, "delayed"), "it comes with the priority it was added with, after a delay")
			q.comes(t, at(8, "failed"), "it comes with the priority it was added with, after what the limiter says")
			q.at(-5, "unchanged")
			q.at(7, "edited")
			for range 3 {
				q.next(t, key{"edited", 7}, "a key comes back from its backoff with the priority it was added with")
				q.AddWithOpts(kit.AddOpts{RateLimited: true, Priority: new(7)}, "edited")
				q.Done("edited")
				q.next(t, key{"unchanged", -5}, "a key comes back from its delay with the priority it was added with")
				q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(-5)}, "unchanged")
				q.Done("unchanged")
				pass(t, time.Second)
			}
			q.ShutDown()
		},
	},
}

func raised(t *conform.T, q client) {
	q.add("a", "b", "c", "d")
	q.at(1, "x", "y")
	q.at(1, "c", "a")
	q.at(1, "z")
	q.at(2, "y")
	q.at(2, "c") // for the second time
	q.Holds(t, 7, "each of 7 keys once")
	q.comes(t, slices.Concat(at(2, "y", "c"), at(1, "x", "a", "z"), at(0, "b", "d")), "a key whose priority rises goes behind those that have it already")
	q.ShutDown()
}

// raisedBehindALockedOne raises keys while a worker holds one that has the higher priority already,
// and one that it gets last: both have their place, though neither can be handed out.
func raisedBehindALockedOne(t *conform.T, q client) {
	q.add("held", "held and raised")
	q.take(t)
	q.take(t)
	q.Add("first")
	q.Add("held and raised")
	q.at(1, "held")
	q.at(1, "first")
	q.at(1, "second")
	q.at(1, "held and raised")
	q.at(1, "held") // keeps its place
	q.Done("held and raised")
	q.Done("held")
	q.comes(t, at(1, "held", "first", "second", "held and raised"), "the key that has been ready with that priority for longest goes first, also if a worker held it until now")
	q.ShutDown()
}

// raisedByEveryCall raises keys that are ready, by calls that name a delay too, and by as much as
// an int allows.
func raisedByEveryCall(t *conform.T, q client) {
	q.at(math.MinInt, "raised by far")
	q.at(1, "raised by far")
	q.at(math.MaxInt, "not lowered")
	q.at(math.MinInt, "not lowered")
	q.at(-100, "raised below zero", "AddAfter", "AddRateLimited")
	q.at(-50, "raised below zero")
	q.AddAfter("AddAfter", time.Second)
	q.AddRateLimited("AddRateLimited")
	t.Wait() // the limiter may be asked after the call has returned
	want := []key{{"not lowered", math.MaxInt}, {"raised by far", 1}, {"AddAfter", 0}, {"AddRateLimited", 0}, {"raised below zero", -50}}
	q.comes(t, want, "a key that is ready takes the higher priority of both adds, whatever the delay of the second")
	q.ShutDown()
}

// urgentThoughLater has two keys ready, of which the more urgent became ready last.
func urgentThoughLater(t *conform.T, q client) {
	q.AddWithOpts(kit.AddOpts{After: time.Second}, "ready first")
	q.AddWithOpts(kit.AddOpts{After: 2 * time.Second, Priority: new(1)}, "more urgent")
	pass(t, 3*time.Second)
	q.Holds(t, 2, "the time of both keys has come")
	q.comes(t, []key{{"more urgent", 1}, {"ready first", 0}}, "both are ready, and the higher priority goes first")
	q.ShutDown()
}

// raisedWhileItWaits raises one key by an add with the same time, and one by an add with a later
// time, which changes nothing but the priority.
func raisedWhileItWaits(t *conform.T, q client) {
	q.AddAfter("raised", time.Second)
	q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(3)}, "raised")
	q.Holds(t, 0, "the only key waits")
	q.AddAfter("raised by a later add", time.Second)
	q.AddWithOpts(kit.AddOpts{After: 2 * time.Second, Priority: new(2)}, "raised by a later add")
	lent := new(-100)
	q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: lent}, "raised to 0", "raised below zero")
	q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(-50)}, "raised below zero")
	q.AddAfter("raised to 0", 2*time.Second)
	q.Holds(t, 0, "all keys wait")
	t.Require(*lent == -100, "AddWithOpts was called with a pointer to the priority -100, and the caller finds %d there now: the queue does not change *o.Priority.", *lent)
	pass(t, time.Second)
	q.comes(t, []key{{"raised", 3}, {"raised by a later add", 2}, {"raised to 0", 0}, {"raised below zero", -50}}, "a key that waits keeps the highest priority that it was added with, and the earliest time. An add changes no other key, not even one that came in the same call as this one before")
	q.ShutDown()
}

func notLowered(t *conform.T, q client) {
	q.at(2, "a", "b")
	q.at(1, "a")
	q.Add("a")
	q.at(-100, "a")
	q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(4)}, "late")
	q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(3)}, "late")
	q.comes(t, at(2, "a", "b"), "a key that is added with a lower priority keeps its own, and its place")
	pass(t, 3*time.Second)
	q.comes(t, at(4, "late"), "a key that waits keeps the highest priority that it was added with")
	q.ShutDown()
}

// raisedAmongMany raises keys that stand anywhere among others: in a heap they have to come up by
// several levels, and leave no gap. It is the same in every run.
func raisedAmongMany(t *conform.T, open func() Subject) {
	random := rand.New(rand.NewPCG(13, 1))
	for range 30 {
		q := start(t, open())
		var want []key
		for _, item := range names("key", 12) {
			k := key{item, random.IntN(6)}
			q.at(k.Priority, k.Item)
			want = append(want, k)
		}
		for range 3 {
			i := random.IntN(len(want))
			k := key{want[i].Item, want[i].Priority + 1 + random.IntN(6)}
			q.at(k.Priority, k.Item)
			want = append(slices.Delete(want, i, i+1), k)
		}
		slices.SortStableFunc(want, func(a, b key) int { return b.Priority - a.Priority })
		q.comes(t, want, "the higher priority goes first, and then the key that has had it for longest")
		q.ShutDown()
	}
}
