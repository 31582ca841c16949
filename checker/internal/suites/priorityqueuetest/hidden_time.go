package priorityqueuetest

import (
	"slices"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

var timeCases = []conform.Case[Subject]{
	{
		Name:   "len-counts-what-is-ready",
		Points: 5,
		Func:   "PriorityQueue.Len",
		Rule:   "Len returns how many keys are ready. A waiting key does not count until its time. A locked key counts only if it was added again.",
		Why:    "People set alarms on the queue depth. Upstream's once went below zero.",
		Hint: []string{
			"List the places a key can be in. Which of them count?",
			"If you keep a counter, find every path on which a key enters or leaves, and make sure that each changes the counter once.",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "doesn't include non-ready items in Len()"; controller-runtime#3066`,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			is := func(n int, when string) {
				require.Equal(t, n, length(t.Actor, q), "Len is not how many keys are ready %s.", when)
			}
			is(0, "in a new queue")
			addAfter(t.Actor, q, time.Second, "a", "b")
			add(t.Actor, q, "c")
			is(1, "while two of three wait")
			pass(t, 999*time.Millisecond)
			is(1, "while two of three still wait")
			pass(t, time.Millisecond)
			is(3, "when the time of the others has come")
			addAfter(t.Actor, q, time.Second, "a")
			add(t.Actor, q, "b")
			is(3, "after adding again what was ready")
			k := get(t, q).Item
			is(2, "with one key handed out")
			add(t.Actor, q, k)
			is(3, "when the key that was handed out was added again")
			done(t.Actor, q, k)
			is(3, "after its Done")
			drained(t, q, 3)
			is(0, "when all are done")
			addAfter(t.Actor, q, time.Second, "a")
			add(t.Actor, q, "a")
			is(1, "when a waiting key was made ready")
			addAfter(t.Actor, q, time.Second, get(t, q).Item)
			is(0, "when the key that is handed out waits")
			done(t.Actor, q, "a")
			done(t.Actor, q, "a")
			done(t.Actor, q, "never seen")
			is(0, "after Done of a key that waits")
			pass(t, time.Second)
			is(1, "when the time of that key has come")
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "earliest-time-wins",
		Points: 5,
		Func:   "PriorityQueue.AddWithOpts",
		Rule:   "A queued key that is added again comes at the earlier of both times, which may be now, and comes once.",
		Why:    "A reconciler that asked for another look in a second, and then for one in an hour, still wants the first. client-go's queue delivers both a direct and a delayed add, and the second reconcile is one that nobody needs (kubernetes#126027).",
		Hint: []string{
			"What if the second add has the later time? What if it has the earlier one?",
			"When a key gets an earlier time, both the heap and the timer have to follow.",
			"When a waiting key becomes ready early, what is left of its wait?",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue.go: "min of possible durations" (its own tests do not defend it); controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestWaitingItemIsReturnedRightAfterReadWithoutAfter`,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			severalDelays(t, open().New(unlimited()))
			delayAndNone(t, open().New(unlimited()))
		},
	},
	{
		Name:   "many-become-ready-at-once",
		Points: 5,
		Func:   "PriorityQueue.AddAfter",
		Rule:   "However many keys become ready at one instant, each of them comes once.",
		Why:    "All keys that one resync requeued for thirty seconds later are due in the same millisecond.",
		Hint: []string{
			"Do you take keys out of a collection while you walk along it?",
			"Look at the first key, take it out, and look at the first key again.",
		},
		Source: "controller-runtime#3060, a tree changed while it was iterated over",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := open().New(unlimited())
			const n = 100
			want := slices.Concat(names("together", n), names("apart", n))
			addAfter(t.Actor, q, 2*time.Second, want[:n]...)
			for i, item := range want[n:] {
				addWith(t.Actor, q, AddOpts{After: time.Second + time.Duration(i*10)*time.Millisecond, Priority: new(i % 3)}, item)
			}
			addAfter(t.Actor, q, 3*time.Second, "later")
			pass(t, 2*time.Second)
			require.Equal(t, 2*n, length(t.Actor, q), "Not every key became ready when its time had come.")
			var got []string
			for _, k := range drained(t, q, 2*n) {
				got = append(got, k.Item)
			}
			slices.Sort(want)
			slices.Sort(got)
			require.Equal(t, want, got, "Not every key whose time had come was handed out once.")
			require.Equal(t, "later", get(t, q).Item, "Get returned another key than the only one.")
			require.Equal(t, 3*time.Second, t.Elapsed(), "The key that was due later did not come at its time.")
			shutDown(t.Actor, q)
		},
	},
	{
		Name:   "asks-its-limiter",
		Points: 5,
		Func:   "PriorityQueue.AddRateLimited",
		Rule:   "The limiter is asked once for every item that is added rate limited, queued or not, and the item waits as long as the limiter says. If After is set as well, the shorter time counts. Forget and NumRequeues are the limiter's.",
		Why:    "An object that fails for the first time must not wait as long as one that has failed twenty times, nor the other way round. And a count that skips failures, or counts plain adds, does not count failures.",
		Hint: []string{
			"Which variables live outside the loop over the items? Which of them are changed inside?",
			"Is the limiter asked before or after you know whether the key is queued?",
			"After: 0 means that no time was given, not that the item is in a hurry.",
		},
		Source: "controller-runtime#3103; controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestWhenAddingMultipleItemsWithRatelimitTrueTheyDontAffectEachOther; controller-runtime pkg/controller/priorityqueue/priorityqueue.go: lockedAddWithOpts",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			eachByItself(t, open())
			counted(t, open())
			shorterOfBoth(t, open())
		},
	},
}

func severalDelays(t *conform.T, q Queue) {
	for _, delays := range [][]time.Duration{{10, 2}, {2, 10}, {9, 5, 7}, {7, 8, 3}} {
		began := t.Elapsed()
		addAfter(t.Actor, q, 6*time.Second, "other")
		for _, d := range delays {
			addAfter(t.Actor, q, d*time.Second, "a")
		}
		addAfter(t.Actor, q, 20*time.Second, "much later")
		came := map[string]time.Duration{}
		for range 2 {
			k := get(t, q)
			came[k.Item] = t.Elapsed() - began
			done(t.Actor, q, k.Item)
		}
		require.Equal(t, map[string]time.Duration{"other": 6 * time.Second, "a": slices.Min(delays) * time.Second}, came,
			"A key that was added with several delays did not come at the earliest of its times, or disturbed another.")
		require.Equal(t, "much later", get(t, q).Item, "A key that was added with several delays came more than once.")
		require.Equal(t, 20*time.Second, t.Elapsed()-began, "A key did not come exactly when its delay was over.")
		done(t.Actor, q, "much later")
	}
	shutDown(t.Actor, q)
}

func delayAndNone(t *conform.T, q Queue) {
	began := t.Elapsed()
	addAfter(t.Actor, q, 5*time.Second, "a")
	got := parked(t, q, "worker")
	add(t.Actor, q, "a")
	require.Equal(t, "a", (<-got).Item, "Get returned another key than the only one.")
	require.Equal(t, began, t.Elapsed(), "A waiting key that was added without delay did not come at once.")
	done(t.Actor, q, "a")
	pass(t, 10*time.Second)
	require.Zero(t, length(t.Actor, q), "A key that came early, by Add, came again when its delay was over.")

	add(t.Actor, q, "b")
	addAfter(t.Actor, q, 5*time.Second, "b")
	require.Equal(t, []key{{"b", 0}}, drained(t, q, 1), "Get returned another key than the only one.")
	require.Equal(t, began+10*time.Second, t.Elapsed(), "A ready key that was added with a delay had to wait.")
	pass(t, 10*time.Second)
	require.Zero(t, length(t.Actor, q), "A ready key that was added with a delay came again after it.")
	shutDown(t.Actor, q)
}

func eachByItself(t *conform.T, s Subject) {
	waits := map[string]time.Duration{"a": time.Second, "b": 5 * time.Second, "c": 3 * time.Second, "d": 0, "e": 4 * time.Second}
	began := t.Elapsed()
	q := s.New(limitedBy(func(item string, _ int) time.Duration { return waits[item] }))
	addWith(t.Actor, q, AddOpts{RateLimited: true}, "a", "b", "c", "d", "e")
	came := map[string]time.Duration{}
	for range waits {
		k := get(t, q)
		came[k.Item] = t.Elapsed() - began
		done(t.Actor, q, k.Item)
	}
	require.Equal(t, waits, came, "An item of a batch did not wait as long as the limiter said of it.")
	shutDown(t.Actor, q)
}

func counted(t *conform.T, s Subject) {
	l := limitedBy(func(_ string, before int) time.Duration { return time.Duration(before+2) * time.Second })
	q, began := s.New(l), t.Elapsed()
	call := t.Call("AddRateLimited(%q)", "a")
	q.AddRateLimited("a")
	call.Returned("")
	addWith(t.Actor, q, AddOpts{RateLimited: true}, "a", "a")
	add(t.Actor, q, "b")
	addAfter(t.Actor, q, 10*time.Second, "c")
	t.Wait()
	require.Equal(t, 3, requeues(t, q, "a"), "Rate-limited adds of one key were not all counted.")
	require.Zero(t, requeues(t, q, "b")+requeues(t, q, "c"), "An add that is not rate limited was counted.")
	require.Equal(t, "b", get(t, q).Item, "Get returned another key than the only one that was ready.")
	require.Equal(t, "a", get(t, q).Item, "Get returned another key than the one that was due first.")
	require.Equal(t, 2*time.Second, t.Elapsed()-began, "A key did not come after the wait that the limiter gave it first.")
	forget(t, q, "a")
	require.Equal(t, []string{"a"}, l.forgets(), "Forget did not reach the limiter once.")
	require.Zero(t, requeues(t, q, "a"), "NumRequeues is not the limiter's number.")
	shutDown(t.Actor, q)
}

func shorterOfBoth(t *conform.T, s Subject) {
	q, began := s.New(limitedBy(func(string, int) time.Duration { return 2 * time.Second })), t.Elapsed()
	addWith(t.Actor, q, AddOpts{RateLimited: true, After: 5 * time.Second}, "by limiter")
	addWith(t.Actor, q, AddOpts{RateLimited: true, After: time.Second}, "by After")
	for i, want := range []string{"by After", "by limiter"} {
		require.Equal(t, want, get(t, q).Item, "Of After and the limiter's time, the shorter one did not count.")
		require.Equal(t, time.Duration(i+1)*time.Second, t.Elapsed()-began, "Of After and the limiter's time, the shorter one did not count.")
	}
	shutDown(t.Actor, q)
}
