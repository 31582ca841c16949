package priorityqueuetest

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/queues"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var timeCases = []conform.Case[Subject]{
	{
		Name:   "len-counts-what-is-ready",
		Points: 5,
		Func:   "PriorityQueue.Len",
		Look:   []string{"PriorityQueue.Len", "PriorityQueue.Done"},
		Rule:   "Len returns how many keys are ready. A waiting key does not count until its time. A locked key counts only if it was added again.",
		Why:    "People set alarms on the queue depth. Upstream's once went below zero.",
		Hint: []string{
			"List the places a key can be in. Which of them count?",
			"If you keep a counter, find every path on which a key enters or leaves, and make sure that each changes the counter once.",
		},
		Source: `controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: "doesn't include non-ready items in Len()"; controller-runtime#3066`,
		Contract: []string{
			"Len returns how many keys are ready. A locked key counts if it was added again and is ready: it needs another round. Waiting keys do not count, and a key does not count merely because a worker holds it",
			"Done with a key that is not locked does nothing",
			"An added key is waiting until its time has come, and ready from that instant on",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q := start(t, open())
			q.Holds(t, 0, "the queue is new")
			q.after(time.Second, "a", "b")
			q.Add("c")
			q.Holds(t, 1, "two of three keys wait")
			pass(t, 999*time.Millisecond)
			q.Holds(t, 1, "two of three keys still wait")
			pass(t, time.Millisecond)
			q.Holds(t, 3, "the time of the others has come")
			q.AddAfter("a", time.Second)
			q.Add("b")
			q.Holds(t, 3, "keys that were ready were added again")
			k := q.take(t).Item
			q.Holds(t, 2, "one key is handed out")
			q.Add(k)
			q.Holds(t, 3, "the key that is handed out was added again")
			q.Done(k)
			q.Holds(t, 3, "it is done")
			q.once(t, []string{"a", "b", "c"})
			q.Holds(t, 0, "all keys are done")
			q.AddAfter("a", time.Second)
			q.Add("a")
			q.Holds(t, 1, "a waiting key was added without delay")
			q.after(time.Second, q.take(t).Item)
			q.Holds(t, 0, "the key that is handed out was added with a delay")
			q.Done("a")
			q.Done("a")
			q.Done("never seen")
			q.Holds(t, 0, "it is done, and waits")
			pass(t, time.Second)
			q.Holds(t, 1, "the time of a key has come that was added while a worker held it. Done was called for it twice meanwhile, and the second call, for a key that is not locked, does nothing")
			q.ShutDown()
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
		Contract: []string{
			"A key that is in the queue already stays there once, with the higher of both priorities and the earlier of both times",
			"a waiting key that is added without delay is ready at once, and is handed out only once",
			"adding a key again never lowers its priority or puts it off",
			"An added key is waiting until its time has come, and ready from that instant on",
			"GetWithPriority blocks until a key can be handed out",
			"AddAfter is AddWithOpts with After",
			"Zero or less is at once",
			"A limit of zero or less is no delay, even if o.After is set",
			"If After is greater than zero too, the shorter of both counts",
			"Keys that are added without delay become ready one after the other, even if the clock does not move between two adds",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			severalDelays(t, start(t, open()))
			delayAndNone(t, start(t, open()))
			aNanosecond(t, limited(t, open(), fake.Always[string](time.Hour)))
			manyWait(t, open)
			broughtForward(t, open)
			ringsForTheBlocked(t, start(t, open()))
			ringsBesideWork(t, start(t, open()))
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
		Contract: []string{
			"An added key is waiting until its time has come, and ready from that instant on", "It holds a key at most once",
			"a waiting key that is added without delay is ready at once, and is handed out only once",
			"GetWithPriority blocks until a key can be handed out",
			"Done unlocks item. If it was added and became ready meanwhile, it can be handed out now",
			"The caller must not change either, and the queue does not",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			q, began := start(t, open()), t.Elapsed()
			const n = 100
			together, apart := names("together", n), names("apart", n)
			for _, item := range together {
				q.AddAfter(item, 2*time.Second)
			}
			for i, item := range apart {
				q.AddWithOpts(kit.AddOpts{After: time.Second + time.Duration(i*10)*time.Millisecond, Priority: new(i % 3)}, item)
			}
			q.AddAfter("later", 3*time.Second)
			pass(t, 2*time.Second)
			q.Holds(t, 2*n, "the time of so many keys has come")
			q.once(t, slices.Concat(together, apart))
			q.comesAt(t, "later", began, 3*time.Second)
			q.ShutDown()
			sharingAMoment(t, start(t, open()))
			atThatMoment(t, start(t, open()))
			seenByAnother(t, start(t, open()))
			doneAtThatMoment(t, start(t, open()))
		},
	},
	{
		Name:   "asks-its-limiter",
		Points: 5,
		Func:   "PriorityQueue.AddRateLimited",
		Look:   []string{"PriorityQueue.AddRateLimited", "PriorityQueue.AddWithOpts", "PriorityQueue.Forget"},
		Rule:   "The limiter is asked once for every item that is added rate limited, queued or not, and the item waits as long as the limiter says. If After is set as well, the shorter time counts. Forget and NumRequeues are the limiter's.",
		Why:    "An object that fails for the first time must not wait as long as one that has failed twenty times, nor the other way round. And a count that skips failures, or counts plain adds, does not count failures.",
		Hint: []string{
			"Which variables live outside the loop over the items? Which of them are changed inside?",
			"Is the limiter asked before or after you know whether the key is queued?",
			"After: 0 means that no time was given, not that the item is in a hurry.",
		},
		Source: "controller-runtime#3103; controller-runtime pkg/controller/priorityqueue/priorityqueue_test.go: TestWhenAddingMultipleItemsWithRatelimitTrueTheyDontAffectEachOther; controller-runtime pkg/controller/priorityqueue/priorityqueue.go: lockedAddWithOpts",
		Contract: []string{
			"The limiter is asked once for every item that is added rate limited, in their order, whether the key is in the queue or not",
			"If After is greater than zero too, the shorter of both counts",
			"A limit of zero or less is no delay, even if o.After is set",
			"Forget tells the rate limiter to forget item, after ShutDown too. No other method does that. It takes nothing out of the queue.",
			"NumRequeues returns the rate limiter's number for item",
			"A key that is in the queue already stays there once, with the higher of both priorities and the earlier of both times",
			"Without items, and after ShutDown, it does nothing",
			"Len returns how many keys are ready",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			eachByItself(t, open())
			counted(t, open())
			shorterOfBoth(t, open())
			forgottenAtWork(t, start(t, open()))
			meanwhile(t, open())
			noItems(t, start(t, open()))
		},
	},
}

func severalDelays(t *conform.T, q client) {
	for _, delays := range [][]time.Duration{{10, 2}, {2, 10}, {9, 5, 7}, {7, 8, 3}} {
		began := t.Elapsed()
		q.AddAfter("other", 6*time.Second)
		q.AddAfter("much later", 20*time.Second)
		for _, d := range delays { // last, for a key that enters sets the timer for all
			q.after(d*time.Second, "a")
		}
		first := slices.Min(delays) * time.Second
		if first < 6*time.Second {
			q.comesAt(t, "a", began, first)
		}
		q.comesAt(t, "other", began, 6*time.Second)
		if first > 6*time.Second {
			q.comesAt(t, "a", began, first)
		}
		q.comesAt(t, "much later", began, 20*time.Second)
	}
	q.ShutDown()
}

func delayAndNone(t *conform.T, q client) {
	q.after(-time.Second, "1", "2", "3", "4", "5")
	q.AddAfter("6", 0)
	q.comes(t, at(0, "1", "2", "3", "4", "5", "6"), "a delay of zero or less is none, and keys without delay become ready one after the other")
	began := t.Elapsed()
	q.AddAfter("a", 5*time.Second)
	got := q.parked(t, "worker")
	q.Add("a")
	has(t, got, "a")
	queues.Came(t, "a", t.Elapsed()-began, 0, "")
	q.Done("a")
	pass(t, 10*time.Second)
	q.Holds(t, 0, "a key that waited came early, by Add, and is done")

	began = t.Elapsed()
	q.Add("b")
	q.AddAfter("b", 5*time.Second)
	q.comesAt(t, "b", began, 0)
	pass(t, 10*time.Second)
	q.Holds(t, 0, "a ready key was added with a delay, came at once, and is done")

	began = t.Elapsed()
	q.AddAfter("c", 10*time.Second)
	pass(t, 5*time.Second)
	q.AddAfter("c", 6*time.Second) // a shorter delay, and a later time
	q.comesAt(t, "c", began, 10*time.Second)
	waitEndsWith(t, q)
	q.ShutDown()
}

// waitEndsWith ends the wait of keys by every add that has no delay. The limiter of q says 0.
func waitEndsWith(t *conform.T, q client) {
	for _, c := range []struct {
		name string
		add  func(item string)
	}{
		{"AddAfter(…, -1s)", func(item string) { q.AddAfter(item, -time.Second) }},
		{"AddAfter(…, 0)", func(item string) { q.AddAfter(item, 0) }},
		{"AddRateLimited, with a limit of 0,", q.AddRateLimited},
		{"AddWithOpts({After: 1s, RateLimited}, …), with a limit of 0,", func(item string) {
			q.AddWithOpts(kit.AddOpts{After: time.Second, RateLimited: true}, item)
		}},
	} {
		q.AddAfter("waits", time.Minute)
		c.add("waits")
		t.Wait()
		q.Holds(t, 1, "a key waited, and was added by "+c.name+" which is without delay")
		q.comes(t, at(0, "waits"), "it is the only key")
	}
}

// aNanosecond delays keys by the shortest time there is, which counts like any other.
func aNanosecond(t *conform.T, q client) {
	q.AddAfter("fresh", time.Nanosecond)
	q.AddAfter("known", time.Hour)
	q.AddAfter("known", time.Nanosecond)
	q.AddAfter("next", 2*time.Nanosecond)
	q.AddWithOpts(kit.AddOpts{After: time.Nanosecond, RateLimited: true}, "limited")
	t.Wait()
	q.Holds(t, 0, "four keys were added with delays of 1ns and 2ns, and the clock has not moved")
	pass(t, time.Nanosecond)
	q.Holds(t, 3, "three keys were added with a delay of 1ns, which has passed, and one with 2ns. One of them waited for an hour before, and the rate limiter says an hour of another: the shorter of both counts")
	pass(t, time.Nanosecond)
	q.Holds(t, 4, "the time of the last has come")
	q.ShutDown()
}

// manyWait has an add take one of many waiting keys out, wherever it stands, and another bring
// one forward. It is the same in every run.
func manyWait(t *conform.T, open func() Subject) {
	random := rand.New(rand.NewPCG(13, 2))
	in := func(i int) string { return fmt.Sprintf("in %ds", i+1) }
	for range 40 {
		q, began := start(t, open()), t.Elapsed()
		order := random.Perm(11)
		for _, i := range order {
			q.AddAfter(in(i), time.Duration(i+1)*time.Second)
		}
		early, sooner := order[0], order[10]
		if random.IntN(2) == 0 {
			early, sooner = sooner, early
		}
		q.Add(in(early))
		q.comesAt(t, in(early), began, 0)
		q.AddAfter(in(sooner), time.Second/2)
		q.comesAtAs(t, in(sooner), began, time.Second/2, "it was added again with that delay, while ten others waited")
		for i := range order {
			if i != early && i != sooner {
				q.comesAt(t, in(i), began, time.Duration(i+1)*time.Second)
			}
		}
		q.ShutDown()
	}
}

// broughtForward has adds bring keys that wait among many others forward, and not to the front. It
// is the same in every run.
func broughtForward(t *conform.T, open func() Subject) {
	random := rand.New(rand.NewPCG(13, 3))
	for range 15 {
		q, began := start(t, open()), t.Elapsed()
		keys, times, why := names("key", 15), map[string]time.Duration{}, map[string]string{}
		for i, item := range keys {
			times[item] = time.Duration(i+1) * 10 * time.Second
			q.AddAfter(item, times[item])
		}
		for n := range 3 {
			item := keys[7+random.IntN(8)]
			was, sooner := times[item], time.Duration(1+random.IntN(6))*10*time.Second+time.Duration(n+1)*time.Second
			times[item] = min(was, sooner)
			why[item] = fmt.Sprintf("it was waiting among others, and was added again with the delay %v", times[item])
			q.AddAfter(item, sooner)
		}
		slices.SortFunc(keys, func(a, b string) int { return cmp.Compare(times[a], times[b]) })
		for _, item := range keys {
			q.comesAtAs(t, item, began, times[item], cmp.Or(why[item], "another key was brought forward"))
		}
		q.ShutDown()
	}
}

// byItem is a limiter that says of each item what waits has of it.
func byItem(waits map[string]time.Duration) *fake.Limiter[string] {
	return fake.NewLimiter(func(item string, _ int) time.Duration { return waits[item] })
}

func eachByItself(t *conform.T, s Subject) {
	waits := map[string]time.Duration{"a": time.Second, "b": 5 * time.Second, "c": 3 * time.Second, "d": 0, "e": 4 * time.Second}
	for _, items := range []string{"abcde", "dabce", "abced"} {
		q, began := limited(t, s, byItem(waits)), t.Elapsed()
		q.AddWithOpts(kit.AddOpts{RateLimited: true}, strings.Split(items, "")...)
		for _, item := range []string{"d", "a", "c", "e", "b"} {
			q.comesAt(t, item, began, waits[item])
		}
		q.ShutDown()
	}
}

// belowZero adds keys in one call, of which a limiter says 0, -1s, -2s and so on. It records
// nothing, so that it lets no timer fire meanwhile.
func belowZero(t *conform.T, s Subject) {
	keys, limits := names("key", 20), map[string]time.Duration{}
	for i, item := range keys {
		limits[item] = -time.Duration(i) * time.Second
	}
	for range 5 {
		q := client{queues.CallingPriority(t.Actor, s.New(byItem(limits)))}
		q.AddWithOpts(kit.AddOpts{RateLimited: true}, keys...)
		t.Wait()
		q.comes(t, at(0, keys...), "the limiter said 0s of the first key, -1s of the second, -2s of the third and so on, which is no delay, and keys without delay become ready one after the other")
		q.ShutDown()
	}
}

// noItems adds nothing.
func noItems(t *conform.T, q client) {
	q.AddWithOpts(kit.AddOpts{RateLimited: true})
	q.AddWithOpts(kit.AddOpts{})
	t.Wait()
	q.Holds(t, 0, "AddWithOpts was called without items")
	counts(t, q, "", 0, "AddWithOpts was called without items")
	q.ShutDown()
}

func counted(t *conform.T, s Subject) {
	l := fake.NewLimiter(func(_ string, before int) time.Duration { return time.Duration(before+2) * time.Second })
	q, began := limited(t, s, l), t.Elapsed()
	q.AddRateLimited("a")
	q.AddWithOpts(kit.AddOpts{RateLimited: true}, "a", "a")
	q.Add("b")
	q.AddAfter("c", 10*time.Second)
	t.Wait()
	counts(t, q, "a", 3, "it was added rate limited three times")
	counts(t, q, "b", 0, "it was added without rate limit")
	counts(t, q, "c", 0, "it was added with a delay, without rate limit")
	q.AddRateLimited("e")
	t.Wait() // the limiter may be asked after the call has returned
	q.Forget("e")
	counts(t, q, "e", 0, "it was forgotten while it waits")
	t.Wait()
	q.Holds(t, 1, "“b” was added without delay. “e” was forgotten, which tells the limiter, and waits on")
	q.comesAt(t, "b", began, 0)
	pass(t, 2*time.Second-time.Nanosecond)
	q.Holds(t, 0, "the limiter said 2s of “a” and of “e”, and they are not over")
	pass(t, time.Nanosecond)
	q.Holds(t, 2, "the limiter said 2s of “a” and of “e”, which are over. Forget was called for “e” while it waited, which tells the limiter and takes nothing out of the queue")
	q.once(t, []string{"a", "e"})
	q.Forget("a")
	forgot := strings.Join(slices.Compact(l.Forgotten()), ", ")
	t.Require(forgot == "e, a", "Forget was called for “e” and for “a”, and the limiter's Forget was called for: %s.", cmp.Or(forgot, "nothing"))
	counts(t, q, "a", 0, "it was forgotten")
	q.Forget("c")
	time.Sleep(began + 10*time.Second - t.Elapsed())
	t.Wait()
	q.Holds(t, 1, "“c” was added with a delay of 10s, which is over now. Forget was called for it meanwhile, which tells the limiter and takes nothing out of the queue")
	q.comesAt(t, "c", began, 10*time.Second)
	q.Add("d")
	q.take(t)
	q.Add("d")
	q.AddRateLimited("d")
	t.Wait()
	counts(t, q, "d", 1, "it was added rate limited once, while a worker held it and it was to come again anyway")
	l.When("shared")
	counts(t, q, "shared", 1, "another queue has the same limiter, and asked it about that key once")
	countedAfterTheEnd(t, q)
}

// countedAfterTheEnd shuts q down, whose limiter has counted one failure of “d” and one of “shared”.
func countedAfterTheEnd(t *conform.T, q client) {
	q.AddAfter("waits", time.Hour)
	q.ShutDown()
	counts(t, q, "shared", 1, "the queue was shut down while a key waits, and the limiter still counts one failure of this key")
	q.Forget("d")
	counts(t, q, "d", 0, "it was forgotten, after ShutDown, and the limiter may be in use elsewhere")
}

// forgottenAtWork forgets a key as a worker does that wants to look again in a second: it adds
// it, forgets its failures, and is done. Another key is added by somebody else meanwhile.
func forgottenAtWork(t *conform.T, q client) {
	q.Add("a")
	q.take(t)
	q.AddAfter("a", time.Second)
	q.Forget("a")
	q.Done("a")
	pass(t, time.Second)
	q.Holds(t, 1, "a worker added its key with a delay, which is over, and then called Forget, which takes nothing out of the queue, and Done")
	q.comes(t, at(0, "a"), "it is the only key")

	q.Add("b")
	q.take(t)
	q.Add("b")
	q.Forget("b")
	q.Done("b")
	t.Wait()
	q.Holds(t, 1, "a key was added while a worker held it, which then called Forget, which takes nothing out of the queue, and Done")
	q.comes(t, at(0, "b"), "it is the only key")

	q.AddWithOpts(kit.AddOpts{After: time.Second, Priority: new(5)}, "waits")
	q.at(7, "ready", "also ready")
	q.Forget("waits")
	q.Forget("ready")
	pass(t, time.Second)
	q.comes(t, slices.Concat(at(7, "ready", "also ready"), at(5, "waits")), "Forget tells the limiter, and leaves the key's priority and place as they are")
	q.ShutDown()
}

// counts requires what NumRequeues says.
func counts(t *conform.T, q client, item string, want int, why string) {
	got := q.NumRequeues(item)
	t.Require(got == want, "NumRequeues(%q) is %d, and should be %d: %s.", item, got, want, why)
}

func shorterOfBoth(t *conform.T, s Subject) {
	q, began := limited(t, s, fake.Always[string](2*time.Second)), t.Elapsed()
	q.AddWithOpts(kit.AddOpts{RateLimited: true, After: 5 * time.Second}, "by limiter")
	q.AddWithOpts(kit.AddOpts{RateLimited: true, After: time.Second}, "by After")
	q.comesAt(t, "by After", began, time.Second)
	q.comesAt(t, "by limiter", began, 2*time.Second)
	q.ShutDown()
	q, began = limited(t, s, fake.Always[string](0)), t.Elapsed()
	q.AddWithOpts(kit.AddOpts{RateLimited: true, After: time.Second}, "by a limiter that says 0")
	q.comesAt(t, "by a limiter that says 0", began, 0)
	q.ShutDown()
	q, began = limited(t, s, fake.Always[string](-time.Second)), t.Elapsed()
	q.AddWithOpts(kit.AddOpts{RateLimited: true, After: 5 * time.Second}, "by a limiter that says -1s")
	q.comesAt(t, "by a limiter that says -1s", began, 0)
	q.AddRateLimited("by a limiter that says -1s, without After")
	q.comesAt(t, "by a limiter that says -1s, without After", began, 0)
	q.ShutDown()
	belowZero(t, s)

	waits := map[string]time.Duration{"a": time.Second, "b": 30 * time.Second, "c": 2 * time.Second}
	q, began = limited(t, s, byItem(waits)), t.Elapsed()
	q.AddWithOpts(kit.AddOpts{RateLimited: true, After: 10 * time.Second}, "a", "b", "c")
	t.Wait()
	for _, item := range []string{"a", "b", "c"} {
		counts(t, q, item, 1, "it was added rate limited once, with two other keys and After: 10s")
	}
	q.comesAt(t, "a", began, time.Second)
	q.comesAt(t, "c", began, 2*time.Second)
	q.comesAt(t, "b", began, 10*time.Second)
	began = t.Elapsed()
	q.AddAfter("known", time.Second)
	q.AddWithOpts(kit.AddOpts{After: 10 * time.Second}, "known", "new")
	q.comesAt(t, "known", began, time.Second)
	q.comesAt(t, "new", began, 10*time.Second)
	q.ShutDown()
}
