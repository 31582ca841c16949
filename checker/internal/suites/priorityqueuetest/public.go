package priorityqueuetest

import (
	"fmt"
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var public = []conform.Case[Subject]{
	{
		Name:   "higher-priority-first",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Rule:   "Get hands out the ready key with the highest priority first, and returns that priority.",
		Why:    "After a restart a controller lists ten thousand objects that have not changed. The one that a user has just edited must not stand behind them.",
		Hint: []string{
			"Which key do you have to know at any time? Do the others have to be sorted?",
			"Use a heap with the higher priority in front. A nil priority is 0, and there are priorities below 0.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestHighPriorityItemsAreReturnedBeforeLowPriorityItemMultipleTimes",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			addAt(t.Actor, q, -100, "resync")
			addAt(t.Actor, q, 5, "urgent")
			add(t.Actor, q, "plain")
			addAt(t.Actor, q, 10, "most urgent")
			addAt(t.Actor, q, -1, "not urgent")
			require.Equal(t, []key{{"most urgent", 10}, {"urgent", 5}, {"plain", 0}, {"not urgent", -1}, {"resync", -100}},
				drained(t, q, 5), "The keys did not come in the order of their priorities.")
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "fifo-within-a-priority",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Rule:   "Keys of one priority come in the order in which they became ready, and adding a key again does not move it.",
		Why:    "No key may starve among its equals. An object that changes every second must neither overtake the others nor fall back because of its own events.",
		Hint: []string{
			"A heap does not keep the order of equals. What can you compare when the priorities are the same?",
			"Number the keys as they come, and let the lower number go first.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue.go: lessReady, AddedCounter",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			var zero, one []string
			for i := range 20 {
				zero = append(zero, fmt.Sprint("zero-", i))
				one = append(one, fmt.Sprint("one-", i))
				add(t.Actor, q, zero[i])
				addAt(t.Actor, q, 1, one[i])
			}
			add(t.Actor, q, zero[3], zero[0])
			addAt(t.Actor, q, 1, one[7], one[0])
			require.Equal(t, slices.Concat(at(1, one...), at(0, zero...)), drained(t, q, 40),
				"The keys of one priority did not come in the order in which they were added first.")
			shutDown(t.Actor, q)
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
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			var pods, rest []string
			for i := range 50 {
				pods = append(pods, fmt.Sprint("pod-", i))
			}
			addAt(t.Actor, q, -100, pods...)
			add(t.Actor, q, "pod-30") // edited by a user
			add(t.Actor, q, "new")
			add(t.Actor, q, "pod-10")
			addAt(t.Actor, q, -100, pods...) // the next resync
			addAt(t.Actor, q, -100, "new")
			require.Equal(t, 51, length(t.Actor, q), "The queue does not hold each key once.")
			for _, p := range pods {
				if p != "pod-30" && p != "pod-10" {
					rest = append(rest, p)
				}
			}
			require.Equal(t, slices.Concat(at(0, "pod-30", "new", "pod-10"), at(-100, rest...)), drained(t, q, 51),
				"The live events did not come first, or a key did not come once.")
			require.Zero(t, length(t.Actor, q), "Every key was handed out and done, and the queue is not empty.")
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "each-key-wakes-a-getter",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Rule:   "Get blocks until there is a key, and every key that becomes ready, alone or with others, wakes one waiting getter.",
		Why:    "Eight workers are idle, and eight pods come. If one worker does all the work while seven sleep, no test with a single worker notices.",
		Hint: []string{
			"How many getters does one sync.Cond.Signal wake? How many keys can one call add?",
			"Wake one getter for each key, not one for each call.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestItemIsReturnedAsSoonAsPossible",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			var got []<-chan key
			for i := range 4 {
				got = append(got, parked(t, q, fmt.Sprint("worker ", i)))
			}
			for _, g := range got {
				require.Empty(t, g, "Get returned before anything was added.")
			}
			add(t.Actor, q, "a")
			t.Wait()
			add(t.Actor, q, "b", "c", "d")
			var all []string
			for _, g := range got {
				all = append(all, (<-g).Item)
			}
			slices.Sort(all)
			require.Equal(t, []string{"a", "b", "c", "d"}, all, "The four workers did not get the four keys.")
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "waits-its-time",
		Points: 5,
		Func:   "PriorityQueue.AddAfter",
		Rule:   "A key that was added with a delay is handed out exactly when the delay is over.",
		Why:    "RequeueAfter is how a CronJob starts on the minute and how a certificate is renewed before it expires.",
		Hint: []string{
			"What runs when the time has come, if nobody calls the queue just then?",
			"Use one time.AfterFunc, set to the key that is due first.",
		},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestItemIsOnlyReturnedAfterAfterHasPassed",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			addAfter(t.Actor, q, 3*time.Second, "third")
			addAfter(t.Actor, q, time.Second, "first")
			addAfter(t.Actor, q, 2*time.Second, "second")
			addAfter(t.Actor, q, -time.Second, "at once")
			for i, want := range []string{"at once", "first", "second", "third"} {
				k := get(t, q)
				require.Equal(t, want, k.Item, "The keys did not come in the order of their times.")
				require.Equal(t, time.Duration(i)*time.Second, t.Elapsed(), "A key did not come exactly when its delay was over.")
				done(t.Actor, q, k.Item)
			}
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "locked-key-is-skipped",
		Points: 5,
		Func:   "PriorityQueue.GetWithPriority",
		Rule:   "A key that a worker holds is not handed out again before Done, and is no obstacle to the keys behind it.",
		Why:    "Two workers on one object overwrite each other. And one object whose reconcile takes minutes must not block the other workers, however urgent it is.",
		Hint: []string{
			"What does Get do if the first key in line is locked? And with the second?",
			"Do not put locked keys into the heap at all: keep them aside until Done.",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "doesn't return an item that is currently locked"`,
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			addAt(t.Actor, q, 10, "slow")
			require.Equal(t, key{"slow", 10}, get(t, q), "Get did not hand out the only key.")
			addAt(t.Actor, q, 10, "slow")
			add(t.Actor, q, "other", "third")
			require.Equal(t, key{"other", 0}, get(t, q), "Get did not skip the key that a worker holds.")
			require.Equal(t, key{"third", 0}, get(t, q), "Get did not skip the key that a worker holds.")
			done(t.Actor, q, "other")
			add(t.Actor, q, "other")
			done(t.Actor, q, "slow")
			require.Equal(t, key{"slow", 10}, get(t, q), "A key that was added while a worker held it did not come after Done.")
			require.Equal(t, key{"other", 0}, get(t, q), "A key that was added after Done did not come.")
			shutDown(t.Actor, q)
		},
	},
}
