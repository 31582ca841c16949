package priorityqueuetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var hidden = slices.Concat(orderCases, timeCases, concurrencyCases)

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
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			raised(t, open().New(unlimited()))
			notLowered(t, open().New(unlimited()))
		},
	},
	{
		Name:   "locked-key-starts-afresh",
		Points: 5,
		Func:   "PriorityQueue.Done",
		Rule:   "However often a locked key is added, it comes once after Done and not before its time, with the highest priority of those adds, whatever its priority was before.",
		Why:    "The event that comes while an object is being reconciled may be news to the reconciler. The queue must not lose it, and one more look is enough.",
		Hint: []string{
			"A locked key is not in the queue. What of its last round may still count?",
			"A locked key can wait as well: neither Done alone nor the time alone makes it come.",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "enqueues a locked item"`,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			addAt(t.Actor, q, 9, "a")
			get(t, q)
			addAt(t.Actor, q, -1, "a")
			add(t.Actor, q, "a")
			addAt(t.Actor, q, -1, "a")
			done(t.Actor, q, "a")
			require.Equal(t, key{"a", 0}, get(t, q), "A key added while it was locked did not come with the highest priority of those adds.")

			addAfter(t.Actor, q, time.Second, "a")
			got := parked(t, q, "worker")
			pass(t, 2*time.Second)
			require.Empty(t, got, "A key whose time came while it was locked was handed out before Done.")
			done(t.Actor, q, "a")
			require.Equal(t, "a", (<-got).Item, "Get returned another key than the only one.")

			addAfter(t.Actor, q, 2*time.Second, "a")
			done(t.Actor, q, "a")
			got = parked(t, q, "worker")
			pass(t, time.Second)
			require.Empty(t, got, "Done handed out a key whose time had not come.")
			pass(t, time.Second)
			require.Equal(t, "a", (<-got).Item, "Get returned another key than the only one.")
			done(t.Actor, q, "a")
			require.Zero(t, length(t.Actor, q), "A key that was added while it was locked came more than once.")
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "priority-outranks-time",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Rule:   "Once keys are ready, their delays no longer count: the higher priority goes first, and within one priority the key that became ready first.",
		Why:    "A retry that has been due for a second must not go before a user's edit, nor before keys that were ready earlier.",
		Hint: []string{
			"What do you compare first in the heap of ready keys?",
			"A waiting key gets its number when it becomes ready, not when it is added.",
		},
		Source: "controller-runtime#3330, readyAt outranked priority; controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestHighPriorityItemThatBecameReadyIsReturnedBeforeLowPriorityItem",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			addWith(t.Actor, q, AddOpts{After: time.Second}, "waited 1s")
			addWith(t.Actor, q, AddOpts{After: 2 * time.Second}, "waited 2s")
			addWith(t.Actor, q, AddOpts{After: 3 * time.Second, Priority: new(1)}, "waited 3s")
			addAt(t.Actor, q, -1, "low")
			add(t.Actor, q, "plain")
			pass(t, 1500*time.Millisecond)
			add(t.Actor, q, "between")
			pass(t, 1500*time.Millisecond)
			addAt(t.Actor, q, 1, "last")
			require.Equal(t, slices.Concat(at(1, "waited 3s", "last"), at(0, "plain", "waited 1s", "between", "waited 2s"), at(-1, "low")),
				drained(t, q, 7), "The keys did not come by priority and then by when they became ready.")
			shutDown(t.Actor, q)
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
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(limitedBy(func(string, int) time.Duration { return time.Second }))
			addAt(t.Actor, q, -5, "unchanged")
			addAt(t.Actor, q, 7, "edited")
			for range 3 {
				first := get(t, q)
				require.Equal(t, key{"edited", 7}, first, "A key came back from backoff with another priority.")
				addWith(t.Actor, q, AddOpts{RateLimited: true, Priority: &first.Priority}, first.Item)
				done(t.Actor, q, first.Item)
				second := get(t, q)
				require.Equal(t, key{"unchanged", -5}, second, "A key came back from its delay with another priority.")
				addWith(t.Actor, q, AddOpts{After: time.Second, Priority: &second.Priority}, second.Item)
				done(t.Actor, q, second.Item)
				pass(t, time.Second)
			}
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "queue-against-a-model",
		Points: 5,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "Whatever is added, taken and done, in any order and at any time, the queue answers like one written in the plainest way.",
		Why:    "Priorities, delays and locks meet in more ways than examples can list. Most bugs that this queue once had were in the meeting of two of them.",
		Hint: []string{
			"This is the shortest failing history that was found. Say for each line which keys wait, which are ready and which are locked.",
		},
		Source: "the contract of this lab, by way of pgregory.net/rapid",
		Mode:   conform.Virtual,
		Check:  checkModel,
	},
}

// names makes n keys.
func names(prefix string, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%s-%d", prefix, i)
	}
	return all
}

func raised(t *conform.T, q Queue) {
	add(t.Actor, q, "a", "b", "c", "d")
	addAt(t.Actor, q, 1, "x", "y")
	addAt(t.Actor, q, 1, "c", "a")
	addAt(t.Actor, q, 1, "z")
	addAt(t.Actor, q, 2, "y")
	require.Equal(t, 7, length(t.Actor, q), "A key whose priority was raised is not in the queue once.")
	require.Equal(t, slices.Concat(at(2, "y"), at(1, "x", "c", "a", "z"), at(0, "b", "d")), drained(t, q, 7),
		"A key whose priority was raised does not stand behind those that had it already.")
	shutDown(t.Actor, q)
}

func notLowered(t *conform.T, q Queue) {
	addAt(t.Actor, q, 2, "a", "b")
	addAt(t.Actor, q, 1, "a")
	add(t.Actor, q, "a")
	addAt(t.Actor, q, -100, "a")
	addWith(t.Actor, q, AddOpts{After: time.Second, Priority: new(4)}, "late")
	addWith(t.Actor, q, AddOpts{After: time.Second, Priority: new(3)}, "late")
	addWith(t.Actor, q, AddOpts{After: time.Second}, "raised")
	addWith(t.Actor, q, AddOpts{After: 2 * time.Second, Priority: new(3)}, "raised")
	require.Equal(t, at(2, "a", "b"), drained(t, q, 2), "A key lost its priority, or its place, when it was added with a lower one.")
	pass(t, 3*time.Second)
	require.Equal(t, []key{{"late", 4}, {"raised", 3}}, drained(t, q, 2), "A key that waited did not come with the highest priority it was added with.")
	shutDown(t.Actor, q)
}
