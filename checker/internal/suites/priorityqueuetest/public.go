package priorityqueuetest

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "higher-priority-first",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Look:   []string{"PriorityQueue.GetWithPriority", "PriorityQueue.AddWithOpts", "the order of the ready keys"},
		Rule:   "Get hands out the ready key with the highest priority first, and returns that priority.",
		Why:    "After a restart a controller lists ten thousand objects that have not changed. The one that a user has just edited must not stand behind them.",
		Hint: []string{
			"Which key do you have to know at any time? Do the others have to be sorted?",
			"Use a heap with the higher priority in front. A nil priority is 0, and there are priorities below 0.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestHighPriorityItemsAreReturnedBeforeLowPriorityItemMultipleTimes",
		Contract: []string{
			"Get hands out the ready key with the highest priority; of keys with the same priority, the one that has been ready with that priority for longest",
			"higher goes first, and nil is 0",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			q.at(math.MinInt, "resync")
			q.at(5, "urgent")
			q.Add("plain")
			q.at(0, "plain by name")
			q.at(math.MaxInt-1, "very urgent")
			q.at(math.MaxInt, "most urgent")
			q.at(-100, "hardly urgent")
			q.at(-1, "not urgent")
			q.comes(t, []key{{"most urgent", math.MaxInt}, {"very urgent", math.MaxInt - 1}, {"urgent", 5}, {"plain", 0}, {"plain by name", 0}, {"not urgent", -1}, {"hardly urgent", -100}, {"resync", math.MinInt}}, "the higher priority goes first")
			q.ShutDown()
		},
	},
	{
		Name:   "fifo-within-a-priority",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Look:   []string{"PriorityQueue.AddWithOpts", "the order of the ready keys"},
		Rule:   "Keys of one priority come in the order in which they became ready, and adding a key again does not move it.",
		Why:    "No key may starve among its equals. An object that changes every second must neither overtake the others nor fall back because of its own events.",
		Hint: []string{
			"A heap does not keep the order of equals. What can you compare when the priorities are the same?",
			"Number the keys as they come, and let the lower number go first.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue.go: lessReady, AddedCounter",
		Contract: []string{
			"Get hands out the ready key with the highest priority; of keys with the same priority, the one that has been ready with that priority for longest",
			"one whose priority does not rise keeps its place",
			"Keys that are added without delay become ready one after the other, even if the clock does not move between two adds",
			"When it returns, its items are in the queue: Len counts those that are ready, and Get can hand them out",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			var zero, one []string
			for i := range 20 {
				zero = append(zero, fmt.Sprint("zero-", i))
				one = append(one, fmt.Sprint("one-", i))
				q.Add(zero[i])
				q.at(1, one[i])
			}
			q.Add("") // a key like any other
			q.Holds(t, 41, "41 keys were added without delay, the empty string among them, and every add has returned")
			q.add(zero[3], zero[0])
			q.at(1, one[7], one[0])
			q.comes(t, slices.Concat(at(1, one...), at(0, zero...), at(0, "")), "the keys of one priority come in the order in which they were added first")
			q.ShutDown()
		},
	},
	{
		Name:   "two-sources-know-of-each-other",
		Points: 5,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "A key that both the resync and a live event add is in the queue once, with the higher priority. So live events overtake the resync, and no key is handled twice.",
		Why:    "Two queues, one for the resync and one for events, would be simpler, and would give the same object to two workers at once.",
		Hint: []string{
			"Where do you find out whether a key is queued already?",
			"Keep one map from the key to what you know of it, whichever source added it.",
		},
		Source: "controller-runtime pkg/handler/eventhandler.go: LowPriority, WithLowPriorityWhenUnchanged",
		Contract: []string{
			"A key that is in the queue already stays there once, with the higher of both priorities and the earlier of both times",
			"A ready key whose priority rises goes behind those that have the higher priority already; one whose priority does not rise keeps its place",
			"Keys that are added without delay become ready one after the other, even if the clock does not move between two adds",
			"When it returns, its items are in the queue: Len counts those that are ready, and Get can hand them out",
			"Len returns how many keys are ready",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			var pods, rest []string
			for i := range 50 {
				pods = append(pods, fmt.Sprint("pod-", i))
			}
			q.at(-100, pods...)
			q.Add("pod-30") // edited by a user
			q.Add("new")
			q.Add("pod-10")
			q.at(-100, pods...) // the next resync
			q.at(-100, "new")
			q.Holds(t, 51, "each of 51 keys once")
			for _, p := range pods {
				if p != "pod-30" && p != "pod-10" {
					rest = append(rest, p)
				}
			}
			q.comes(t, slices.Concat(at(0, "pod-30", "new", "pod-10"), at(-100, rest...)), "live events come first, and each key comes once")
			q.Holds(t, 0, "every key was handed out and is done")
			q.ShutDown()
		},
	},
	{
		Name:   "each-key-wakes-a-getter",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Look:   []string{"PriorityQueue.AddWithOpts", "PriorityQueue.GetWithPriority"},
		Rule:   "Get blocks until there is a key, and every key that becomes ready, alone or with others, wakes a waiting getter.",
		Why:    "Eight workers are idle, and eight pods come. If one worker does all the work while seven sleep, no test with a single worker notices.",
		Hint: []string{
			"How many getters does one sync.Cond.Signal wake? How many keys can one call add?",
			"Wake one getter for each key, not one for each call.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestItemIsReturnedAsSoonAsPossible",
		Contract: []string{
			"GetWithPriority blocks until a key can be handed out",
			"An added key is waiting until its time has come, and ready",
			"When it returns, its items are in the queue: Len counts those that are ready, and Get can hand them out",
			"Any value of T may be a key, its zero value too",
			"Len returns how many keys are ready",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			got := q.fourParked(t)
			for _, g := range got {
				waits(t, g, "nothing was added")
			}
			q.Add("a")
			t.Wait()
			q.add("b", "c", "d")
			haveGot(t, []string{"a", "b", "c", "d"}, "a, b, c and d were added", got...)

			empty := q.parked(t, "worker")
			q.add("", "e", "f")
			k, some := <-empty
			t.Require(some, "The empty string was added, which is a key like any other, and a worker that waited was told that the queue is shut down.")
			t.Require(k == key{"", 0}, "The empty string was added first, and a worker that waited got %v.", k)
			t.Wait()
			q.Holds(t, 2, "a worker waited, three keys were added, and it has one of them")
			q.ShutDown()
			lessUrgentWakes(t, start(t, open()))
		},
	},
	{
		Name:   "waits-its-time",
		Points: 5,
		Func:   "PriorityQueue.AddAfter",
		Rule:   "A key that was added with a delay becomes ready exactly when the delay is over.",
		Why:    "RequeueAfter is how a CronJob starts on the minute and how a certificate is renewed before it expires.",
		Hint: []string{
			"What runs when the time has come, if nobody calls the queue just then?",
			"Use one time.AfterFunc, set to the key that is due first.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestItemIsOnlyReturnedAfterAfterHasPassed",
		Contract: []string{
			"An added key is waiting until its time has come, and ready from that instant on",
			"AddAfter is AddWithOpts with After",
			"Zero or less is at once",
			"Waiting keys do not count",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			q.AddAfter("in 292 years", math.MaxInt64)
			t.Wait()
			q.Holds(t, 0, "the only key was added with the longest delay there is, 292 years, and waits")
			pass(t, time.Second)
			q.AddAfter("in 292 years and 1s", math.MaxInt64)
			t.Wait()
			q.Holds(t, 0, "both keys were added with the longest delay there is, 292 years, one of them a second later than the other, and wait")
			began := t.Elapsed()
			q.AddAfter("third", 3*time.Second)
			q.AddAfter("first", time.Second)
			q.AddAfter("second", 2*time.Second)
			q.AddAfter("at once", -time.Second)
			for i, item := range []string{"at once", "first", "second", "third"} {
				q.comesAt(t, item, began, time.Duration(i)*time.Second)
			}
			q.ShutDown()
		},
	},
	{
		Name:   "locked-key-is-skipped",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Look:   []string{"PriorityQueue.AddWithOpts", "PriorityQueue.GetWithPriority", "PriorityQueue.Get"},
		Rule:   "A key that a worker holds is not handed out again before Done, and is no obstacle to the keys behind it.",
		Why:    "Two workers on one object overwrite each other. And one object whose reconcile takes minutes must not block the other workers, however urgent it is.",
		Hint: []string{
			"What does Get do if the first key in line is locked? And with the second?",
			"Do not put locked keys into the heap at all: keep them aside until Done.",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "doesn't return an item that is currently locked"`,
		Contract: []string{
			"it can be added meanwhile, and it can become ready, but it is not handed out. A locked key does not block others",
			"Done unlocks item. If it was added and became ready meanwhile, it can be handed out now",
			"Get is GetWithPriority without the priority",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			q.at(10, "slow")
			q.next(t, key{"slow", 10}, "it is the only key")
			q.at(10, "slow")
			q.add("other", "third")
			q.next(t, key{"other", 0}, "a worker holds the more urgent one")
			q.next(t, key{"third", 0}, "a worker holds the more urgent one")
			q.Add("fourth")
			q.Done("other")
			q.Add("other")
			q.Done("slow")
			q.next(t, key{"slow", 10}, "it was added while a worker held it, and Done, which has returned, unlocked it")
			q.next(t, key{"fourth", 0}, "of two keys with the same priority it became ready first")
			q.next(t, key{"other", 0}, "it was added after its Done")

			q.Add("last")
			has(t, q.parkedInGet(t, "worker"), "last")
			q.Add("last")
			got := q.parkedInGet(t, "second worker")
			waits(t, got, "the only key was handed out by Get, and is not done")
			q.Done("last")
			has(t, got, "last")

			got = q.parked(t, "third worker")
			q.Add("awaited")
			has(t, got, "awaited")
			q.Add("awaited")
			got = q.parked(t, "fourth worker")
			waits(t, got, "a worker that had waited for this key holds it")
			q.Done("awaited")
			has(t, got, "awaited")
			q.ShutDown()
		},
	},
}

// lessUrgentWakes adds a key while a more urgent one is ready, which no worker has taken yet: each
// of two workers that wait gets one of them.
func lessUrgentWakes(t *conform.T, q client) {
	for _, priorities := range [][]int{{1, 0}, {0, -1}, {0, 1}} {
		for range 8 {
			one, two := q.parked(t, "worker"), q.parked(t, "second worker")
			q.at(priorities[0], "a")
			q.at(priorities[1], "b")
			happened := fmt.Sprintf("“a” was added with priority %d and then “b” with priority %d, and each of them wakes a worker, whatever the priority of the other", priorities[0], priorities[1])
			haveGot(t, []string{"a", "b"}, happened, one, two)
			q.Done("a")
			q.Done("b")
		}
	}
	q.ShutDown()
}
