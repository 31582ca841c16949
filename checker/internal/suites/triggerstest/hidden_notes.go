package triggerstest

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/model"
)

var notes = []conform.Case[Subject]{
	{
		Name:   "failed-write-is-tried-again",
		Points: 5,
		Func:   "Level.Work",
		Look:   []string{"Level.Work", "LevelResync.Work"},
		Rule:   "Work looks at an app whose Scale failed again in the next Work, until it succeeds, and goes on with the other apps meanwhile.",
		Why:    "APIs are down now and then. A level-based controller just runs its loop again, on the state at that time.",
		Hint: []string{
			"Where is the note when the error comes?",
			"Note the key again and go on with the next one. No return, and no loop around Scale.",
		},
		Source: "controller-runtime pkg/internal/controller/controller.go: reconcileHandler (an error puts the key back into the queue)",
		Contract: []string{
			"If Scale fails, the app stays noted: the next Work looks at it again, and this one goes on with the other apps, and does not try again by itself.",
			"Work does what Level.Work does, apart from the resync: in every period-th call it first calls Keys, once, and notes every app that it returns.",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			failsInResync(t, resync(s, 4))
			failsUnlisted(t, resync(s, 2))
			for _, k := range levels(s) {
				manyFail(t, k)
				c := newCluster(t, map[string]State{"a": {2, 1}, "b": {1, 3}, "c": {4, 1}})
				v := start(t, k, c)
				c.broken["a"], c.broken["b"], c.broken["c"] = true, true, true
				v.named("a", "b", "c")
				c.worked(t, v, []string{"Get a", "Get b", "Get c", "Scale a 1", "Scale b -2", "Scale c 3"},
					"%s did not go on with the other apps, once each, when Scale failed.", k.name)
				c.add("a", 3, 0)
				c.broken["b"] = false
				c.worked(t, v, []string{"Get a", "Get b", "Get c", "Scale a 4", "Scale b -2", "Scale c 3"},
					"%s did not look again, in the next Work, at the apps whose Scale had failed.", k.name)
				for range 100 {
					c.worked(t, v, []string{"Get a", "Get c", "Scale a 4", "Scale c 3"},
						"%s gave up on an app whose Scale had failed again and again.", k.name)
				}
				c.broken["a"] = false
				c.add("c", 0, 3) // the gap has closed by itself
				c.worked(t, v, []string{"Get a", "Get c", "Scale a 4"},
					"%s tried something else again than what had failed, on the state as it is now.", k.name)
				c.worked(t, v, nil, "%s went on trying after all had succeeded.", k.name)
			}
		},
	},
	{
		Name:   "notes-during-work-are-kept",
		Points: 7,
		Func:   "Strategy.Work",
		Look:   []string{"Edge.Work", "Level.Work", "LevelResync.Work"},
		Rule:   "A Notify that comes while Work calls the cluster returns at once, and its note is not lost.",
		Why:    "The world does not stop while a worker works. If a change comes right after the look and you wipe its note with the old one, nobody ever sees it.",
		Hint: []string{
			"Do you wipe a note before you read the app, or after you have written to it? What if a note comes in between?",
			"Take all notes away under the lock, give the lock back, and only then work.",
			"Work must not hold the lock while it calls the cluster: Notify may come from within that very call.",
		},
		Source: "client-go util/workqueue/queue.go: Get (the dirty mark is wiped before the item is handed out)",
		Contract: []string{
			"It does not touch the cluster, and does not wait for a Work that is under way.",
			"A note that comes while Work is under way is never lost. The app is read by a Get that begins after the note, in this Work or in the next, even if this Work has already looked at it, or is just doing so. Each such note causes at most one look more, in this Work or in the next.",
			"The states in the event, old or new, play no part.",
			"If Scale fails, the app stays noted: the next Work looks at it again",
			"it calls Scale with the change in Missing from Old to New, unless that is zero",
			"What is noted while Work is under way is acted on in this Work or in the next.",
			"Work acts on every event that is noted and not yet acted on, one after the other, in the order in which they were noted, each once",
			"An error of Scale is dropped together with its event.",
			"Work looks at every app that is noted, each once, however many events named it",
			"A note that comes during Keys is one that comes while Work is under way.",
			"while Work is under way, and even from within a call that Work makes on the cluster",
			unclosed,
		},
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, k := range append(levels(s), resync(s, 1)) {
				noteDuringLook(t, k, "Get a", 0)
				for _, missing := range []int{2, -2} { // below zero: too many
					noteDuringLook(t, k, "Get a", missing)
					noteDuringLook(t, k, fmt.Sprint("Scale a ", missing), missing)
					noteDuringFailure(t, k, missing, 0)
					noteDuringFailure(t, k, missing, 3)
					noteOfTheFailing(t, k, "Get a", missing)
					noteOfTheFailing(t, k, fmt.Sprint("Scale a ", missing), missing)
				}
				for _, missing := range []int{1, -1} {
					eventsDuringLook(t, k, "Get a", missing)
					eventsDuringLook(t, k, fmt.Sprint("Scale a ", missing), missing)
				}
			}
			for _, k := range levels(s) {
				for _, missing := range []int{2, -2} {
					oneLookMore(t, k, "Get a", missing)
					oneLookMore(t, k, fmt.Sprint("Scale a ", missing), missing)
				}
				oneLookMore(t, k, "Get a", 0)
			}
			noteDuringLook(t, resync(s, 1), "Keys", 2)
			noteDuringEdge(t, edge(s))
			eventsDuringEdge(t, edge(s))
			model.Check(t, 60, func(rt *rapid.T, t *conform.T) { edgeInTurns(rt, t, edge(open())) })
			model.Check(t, 120, func(rt *rapid.T, t *conform.T) { levelInTurns(rt, t, open()) })
		},
	},
	{
		Name:   "notes-from-any-goroutine",
		Long:   true,
		Points: 5,
		Func:   "Strategy.Notify",
		Look:   []string{"Edge.Notify", "Level.Notify", "LevelResync.Notify", "Level.Work", "LevelResync.Work"},
		Rule:   "Notify may be called by many goroutines while another one works: no note is lost, and there is no data race.",
		Why:    "Informers of several types notify one controller while its worker is busy, each from a goroutine of its own.",
		Hint: []string{
			"What do Notify and Work share? Which lock guards it?",
		},
		Source: "The Go Memory Model, Locks; client-go tools/cache/shared_informer.go: sharedProcessor.run (one goroutine for each listener)",
		Contract: []string{
			"Notify may be called from any goroutine at any time",
			"A note that comes while Work is under way is never lost.",
			"If Scale fails, the app stays noted: the next Work looks at it again",
			"Work acts on every event that is noted and not yet acted on, one after the other, in the order in which they were noted, each once",
			"What is noted while Work is under way is acted on in this Work or in the next.",
			"Work looks at every app that is noted, each once, however many events named it, in any order",
			"A call that has to wait for another one blocks, as Lock of a sync.Mutex does: it does not go round a loop until the other is done.",
			unclosed,
		},
		Mode: conform.Copies,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			for _, k := range []kind{edge(s), level(s), resync(s, 0), resync(s, 2)} {
				crowd(t, k)
			}
			rush(t, edge(s))
			for _, k := range append(levels(s), resync(s, 0)) {
				noteBesideFailure(t, k)
				notedOnReturn(t, k)
			}
			for _, k := range append(levels(s), resync(s, 1), edge(s)) {
				lastOfABurst(t, k)
			}
		},
	},
}

// manyFail notes more apps than any limit of errors allows, and lets every Scale fail.
func manyFail(t *conform.T, k kind) {
	const apps = 40
	c := newCluster(t, map[string]State{})
	c.silent = true
	var keys []string
	for i := range apps {
		key := fmt.Sprintf("app-%02d", i)
		c.apps[key], c.broken[key] = State{1, 0}, true
		keys = append(keys, key)
	}
	v := start(t, k, c)
	v.named(keys...)
	v.work()
	calls := c.asked()
	gets, scales := count(calls, "Get "), count(calls, "Scale ")
	t.Require(gets == apps && scales == apps, "%d apps were noted, each misses a pod, and every Scale fails. Work of %s called Get %s and Scale %s, and should call each %[1]d times: where Scale fails, this Work goes on with the other apps.", apps, k.name, conform.Count(gets, "time"), conform.Count(scales, "time"))
	clear(c.broken)
	v.work()
	t.Require(c.drift() == 0, "Scale had failed for %d apps, all of which stay noted, and the next Work of %s left %d of them without their pod.", apps, k.name, c.drift())
}

// failsInResync lets a Scale fail for an app that nobody has notified of.
func failsInResync(t *conform.T, k kind) {
	c := newCluster(t, map[string]State{"a": {5, 3}})
	v := start(t, k, c)
	c.broken["a"] = true
	for range 3 {
		v.work()
	}
	c.worked(t, v, []string{"Keys", "Get a", "Scale a 2"}, "The fourth Work of %s is one with a resync, and finds app a, whose Scale fails. It does not try again by itself.", k.name)
	c.broken["a"] = false
	c.worked(t, v, []string{"Get a", "Scale a 2"}, "Scale failed for an app that the resync had noted, and %s did not look at it again in the next Work: it stays noted.", k.name)
	c.worked(t, v, nil, "%s went on trying after the Scale had succeeded.", k.name)
}

// failsUnlisted lets a Scale fail for apps that the Keys of a resync do not return: they come after that.
func failsUnlisted(t *conform.T, k kind) {
	c := newCluster(t, map[string]State{"a": {1, 1}, "b": {2, 0}})
	c.broken["b"], c.broken["c"] = true, true
	v := start(t, k, c)
	v.named("b")
	c.worked(t, v, []string{"Get b", "Scale b 2"}, "App b was noted, and its Scale fails.")
	delete(c.apps, "b")
	c.within = func(call string) {
		if call == "Keys" {
			c.within = nil
			c.add("b", 2, 0)
			c.add("c", 0, 3)
		}
	}
	v.named("c")
	c.worked(t, v, []string{"Keys", "Get a", "Get b", "Get c", "Scale b 2", "Scale c -3"}, "App b is noted since its Scale failed, app c was notified of, and the second Work of %s is one with a resync. Both apps come to the cluster just after Keys, which does not return them: Work looks also at an app that is noted and that Keys does not return.", k.name)
	clear(c.broken)
	c.worked(t, v, []string{"Get b", "Get c", "Scale b 2", "Scale c -3"}, "In a Work of %s with a resync Scale failed for the apps b and c, which Keys had not returned. They stay noted, and the next Work looks at them again.", k.name)
}

// noteDuringLook changes the app once more in the midst of the call named at, and
// notifies of it and of a second app from within that call.
func noteDuringLook(t *conform.T, k kind, at string, missing int) {
	c := newCluster(t, map[string]State{"a": {2, 2 - missing}}) // Keys does not name b
	v := start(t, k, c)
	told := false
	var before, after State
	c.within = func(call string) {
		if call != at || told {
			return
		}
		told = true
		before, after = c.add("a", 3, 0)
		v.notify("a", before, after)
		v.notify("b", State{0, 1}, State{1, 1})
	}
	v.named("a")
	v.work()
	t.Require(told, "App a was noted and misses %d (below zero: too many), and Work of %s did not come to the call %q.", missing, k.name, at)
	looked := count(c.asked(), "Get b")
	v.work()
	looked += count(c.asked(), "Get b")
	if (c.apps["a"] == State{5, 5}) && looked > 0 {
		return
	}
	v.work()
	looks := map[bool]string{true: "looked at b", false: "did not look at b"}
	was := fmt.Sprintf("left a at %v, where 5/5 (running/desired) is due, and %s", c.apps["a"], looks[looked > 0])
	if (c.apps["a"] == State{5, 5}) {
		was = "put a right and never looked at b, which the cluster's Keys do not name"
	}
	t.Fatalf("Notify(a: %v -> %v) and Notify(b: 1/0 -> 1/1) came from within the call %q, while Work of %s was under way. That Work and the next %s. A third Work %s. A note that comes while Work is under way is never lost.",
		before, after, at, k.name, was, looks[count(c.asked(), "Get b") > 0])
}

// untimely is what may be notified, while a strategy acts on the event e of an app at state is, of which
// n pods are missing.
type untimely struct {
	what   string
	events []Event
}

func untimelies(e Event, is State, n int) []untimely {
	undone := Event{e.Key, e.New, e.Old}
	gone := Event{e.Key, e.New, State{}}
	other := Event{"b", State{1, 1}, State{4, 1}}
	return []untimely{
		{"an event that is equal to it", []Event{e}},
		{"two events that are equal to it", []Event{e, e}},
		{"an event that undoes it", []Event{undone}},
		{"an event that undoes it, and one that is equal to it", []Event{undone, e}},
		{"an event that is equal to it, and one that undoes it", []Event{e, undone}},
		{"an event of what Scale does, as if somebody else had done it", []Event{{e.Key, is, State{is.Desired, is.Running + n}}}},
		{"an event after which nothing is missing", []Event{{e.Key, e.Old, State{is.Desired, is.Desired}}}},
		{"an event with the state that the app is at, old and new", []Event{{e.Key, is, is}}},
		{"an event whose new state is zero", []Event{gone}},
		{"an event of another app, one that undoes that, and one equal to the event", []Event{other, {"b", other.New, other.Old}, e}},
	}
}

// eventsDuringLook notifies, from within a call that an event has led to, of events that somebody might
// take for old news. The app changes meanwhile.
func eventsDuringLook(t *conform.T, k kind, at string, missing int) {
	is := State{3, 3 - missing}
	e := Event{"a", State{3 - missing, 3 - missing}, is}
	all := untimelies(e, is, missing)
	all = append(all, untimely{"256 events that are equal to it", slices.Repeat([]Event{e}, 256)}) // as many as a small counter takes to come round
	for _, during := range all {
		c := newCluster(t, map[string]State{"a": is})
		v := start(t, k, c)
		c.within = func(call string) {
			if call != at {
				return
			}
			c.within = nil
			c.add("a", 2, 0)
			notified := t.Call("Notify of %s, after two more are wanted: %v", during.what, c.apps["a"])
			for _, e := range during.events {
				v.Notify(e)
			}
			notified.Returned("")
		}
		v.notify(e.Key, e.Old, e.New)
		v.work()
		v.work()
		t.Require(c.apps["a"] == State{5, 5}, "%s led to the call %q in Work of %s. From within that call, after a had been read, two more were wanted of a, and then came %s. That Work and the next left a at %v (running/desired), and should bring it to 5/5. A note that comes while Work is under way is never lost, and the states in the event, old or new, play no part.",
			notice(e), at, k.name, during.what, c.apps["a"])
	}
}

// oneLookMore notes an app once, and once more from within the call named at.
func oneLookMore(t *conform.T, k kind, at string, missing int) {
	c := newCluster(t, map[string]State{"a": {2, 2 - missing}})
	v := start(t, k, c)
	c.within = func(call string) {
		if call == at {
			c.within = nil
			v.named("a")
		}
	}
	v.named("a")
	var looks []int
	sum := 0
	for range 3 {
		v.work()
		n := count(c.asked(), "Get a")
		looks, sum = append(looks, n), sum+n
	}
	t.Require(sum == 2, "App a was noted before Work of %s, and once more from within the call %q of that Work. It was noted no further time, and no Scale failed. Three Works called Get of a %v times, and should call it twice in all: a note that comes while Work is under way causes at most one look more, in this Work or in the next.", k.name, at, looks)
}

// noteDuringFailure reports a second app from within a Scale that fails. If that app misses
// pods, its own Scale fails as long as that Work is under way.
func noteDuringFailure(t *conform.T, k kind, gap, missing int) {
	c := newCluster(t, map[string]State{"a": {2, 2 - gap}})
	if missing > 0 {
		c.apps["b"] = State{missing, 0} // Keys does not name it otherwise
	}
	c.broken["a"], c.broken["b"] = true, true
	v := start(t, k, c)
	c.within = func(call string) {
		if call == fmt.Sprint("Scale a ", gap) {
			c.within = nil
			v.named("b")
		}
	}
	v.named("a")
	v.work()
	clear(c.broken)
	v.work()
	t.Require(count(c.asked(), "Get b") > 0, "The note of app b came while a Scale of app a was failing, and neither that Work nor the next of %s looked at b: the note was lost.", k.name)
	t.Require(c.apps["a"] == State{2, 2}, "The Scale of app a had failed, and in the next Work %s did not make up for it: a is at %v (running/desired), and should be at 2/2.", k.name, c.apps["a"])
	t.Require(c.apps["b"].missing() == 0, "The note of app b came while a Scale of app a was failing, and a Scale of b would have failed in that Work, too. In the next one no Scale fails, and %s left b at %v (running/desired): it should have %d pods.", k.name, c.apps["b"], missing)
}

// noteOfTheFailing notes an app again from within the call named at, of a Work whose Scale of that app fails.
func noteOfTheFailing(t *conform.T, k kind, at string, missing int) {
	c := newCluster(t, map[string]State{"a": {2, 2 - missing}})
	c.broken["a"] = true
	v := start(t, k, c)
	c.within = func(call string) {
		if call == at {
			c.within = nil
			v.named("a")
		}
	}
	v.named("a")
	v.work()
	clear(c.broken)
	v.work()
	t.Require(c.apps["a"] == State{2, 2}, "A note of app a came from within the call %q, and the Scale of a failed in that same Work. Either is a reason to look at a in the next Work, and there no Scale fails. %s left a at %v (running/desired), and should bring it to 2/2.", at, k.name, c.apps["a"])
}

func noteDuringEdge(t *conform.T, k kind) {
	c := newCluster(t, map[string]State{"a": {0, 0}, "b": {0, 0}})
	v := start(t, k, c)
	told := 0
	c.within = func(string) {
		if told++; told == 1 {
			v.notify("a", State{0, 0}, State{4, 0})
			v.notify("a", State{4, 0}, State{4, 0}) // no change in Missing
			v.notify("b", State{0, 0}, State{3, 0})
			v.notify("b", State{3, 0}, State{1, 0})
		}
	}
	v.notify("a", State{0, 0}, State{1, 0})
	v.notify("a", State{0, 0}, State{2, 0})
	v.work()
	v.work()
	c.wasAskedInOrder(t, []string{"Scale a 1", "Scale a 2", "Scale a 4", "Scale b 3", "Scale b -2"},
		"%s did not act once, in order, on each event, those included that came while it was working.", k.name)
}

// eventsDuringEdge notifies, from within the Scale for an event, of others that somebody might take for
// old news, or for one another: the Scale succeeds or fails, and an equal event has come before it or not.
func eventsDuringEdge(t *conform.T, k kind) {
	for _, missing := range []int{1, -1} {
		is := State{3, 3 - missing}
		e := Event{"a", State{3 - missing, 3 - missing}, is}
		for _, during := range untimelies(e, is, missing) {
			for _, broken := range []bool{false, true} {
				for before := 1; before <= 2; before++ {
					c := newCluster(t, map[string]State{"a": is})
					c.broken["a"] = broken
					v := start(t, k, c)
					c.within = func(string) {
						c.within = nil
						for _, e := range during.events {
							v.notify(e.Key, e.Old, e.New)
						}
					}
					var due []string
					for _, e := range slices.Concat(slices.Repeat([]Event{e}, before), during.events) {
						if n := e.New.missing() - e.Old.missing(); n != 0 {
							due = append(due, fmt.Sprintf("Scale %s %d", e.Key, n))
						}
					}
					for range before {
						v.notify(e.Key, e.Old, e.New)
					}
					v.work()
					v.work()
					c.wasAskedInOrder(t, due, "%s was notified before Work of a: %v -> %v (running/desired), %s, and from within the first Scale of that Work came %s. It acts on each event, in order, in that Work or in the next, also on one that equals or undoes another.", k.name, e.Old, e.New, conform.Count(before, "time"), during.what)
				}
			}
		}
	}
}

func count(calls []string, call string) int {
	n := 0
	for _, c := range calls {
		if strings.HasPrefix(c, call) {
			n++
		}
	}
	return n
}

// crowd lets four goroutines notify while the scenario's own works. Every app is
// named by one event only: a note that is lost leaves its app wrong.
func crowd(t *conform.T, k kind) {
	const notifiers, each = 4, 15
	c := newCluster(t, map[string]State{})
	key := func(who, i int) string { return fmt.Sprintf("%d-%d", who, i) }
	for who := range notifiers {
		for i := range each {
			c.apps[key(who, i)] = State{1, 0}
		}
	}
	v := start(t, k, c)
	for who := range notifiers {
		t.Go(fmt.Sprintf("notifier %d", who), func(a *conform.Actor) {
			mine := recorded{a, v.Strategy}
			for i := range each {
				mine.notify(key(who, i), State{0, 0}, State{1, 0})
			}
		})
	}
	for range each {
		v.work()
	}
	t.Join()
	v.work()
	t.Require(c.drift() == 0, "%d goroutines notified %s of %d apps that miss one pod each, while it was working. In the end %s had too few pods: their notes were lost. And %s had too many: they were scaled twice.",
		notifiers, k.name, notifiers*each, conform.Count(c.wrong(1), "app"), conform.Count(c.wrong(-1), "app"))
}

// rush lets four goroutines notify Edge as fast as they can while the scenario's own works.
// Each has an app of its own, and its n-th event asks for n pods.
func rush(t *conform.T, k kind) {
	const notifiers, each = 4, 120
	c := newCluster(t, map[string]State{})
	c.silent = true
	v := start(t, k, c)
	for who := range notifiers {
		t.Go(fmt.Sprintf("notifier %d", who), func(a *conform.Actor) {
			key := fmt.Sprintf("app-%d", who)
			call := a.Call("Notify of %d events of %s, which miss 1 pod, 2 pods and so on", each, key)
			for i := range each {
				v.Notify(Event{key, State{}, State{i + 1, 0}})
			}
			call.Returned("")
		})
	}
	for range each / 10 {
		v.work()
	}
	t.Join()
	v.work()
	calls := c.askedInOrder()
	for who := range notifiers {
		key := fmt.Sprintf("app-%d", who)
		var got []string
		for _, call := range calls {
			if strings.HasPrefix(call, "Scale "+key+" ") {
				got = append(got, call)
			}
		}
		for i := range each {
			due := fmt.Sprintf("Scale %s %d", key, i+1)
			t.Require(i < len(got), "One goroutine notified of %d events of %s. Each Notify had returned, and after one more Work Edge had called Scale %s for it: an event was noted late, or not at all.", each, key, conform.Count(len(got), "time"))
			t.Require(got[i] == due, "One goroutine notified of %d events of %s, one after the other, and Edge did not act on them in the order in which they were noted. Its call %d for this app was %q, and should be %q.", each, key, i+1, got[i], due)
		}
	}
}

// noteBesideFailure has one goroutine notify of app b while a Scale of app a fails, or just
// after it.
func noteBesideFailure(t *conform.T, k kind) {
	c := newCluster(t, map[string]State{"a": {2, 0}, "b": {3, 0}})
	c.silent = true
	c.broken["a"] = true
	v := start(t, k, c)
	failing := make(chan struct{})
	fail := sync.OnceFunc(func() { close(failing) })
	c.within = func(call string) {
		if call == "Scale a 2" {
			fail()
		}
	}
	v.named("a")
	t.Go("notifier", func(a *conform.Actor) {
		<-failing
		recorded{a, v.Strategy}.named("b")
	})
	v.work()
	fail()
	t.Join()
	clear(c.broken)
	v.work()
	t.Require(c.drift() == 0, "One goroutine notified of app b while a Scale of app a failed in Work of %s. Notify had returned, and one more Work, in which nothing fails, left a at %v and b at %v (running/desired): they should be at 2/2 and 3/3.", k.name, c.apps["a"], c.apps["b"])
}

// notedOnReturn lets four goroutines notify as fast as they can, and then calls Work.
func notedOnReturn(t *conform.T, k kind) {
	const notifiers, each = 4, 200
	c := newCluster(t, map[string]State{})
	c.silent = true
	v := start(t, k, c)
	for who := range notifiers {
		t.Go(fmt.Sprintf("notifier %d", who), func(a *conform.Actor) {
			call := a.Call("Notify of %d apps", each)
			for i := range each {
				v.Notify(Event{fmt.Sprintf("%d-%d", who, i), State{}, State{}})
			}
			call.Returned("")
		})
	}
	t.Join()
	v.work()
	looks := count(c.asked(), "Get ")
	t.Require(looks == notifiers*each, "%d goroutines notified at the same time, each of %d apps. All calls of Notify had returned, and then Work of %s looked at %d of the %d apps: an app is noted when Notify returns.", notifiers, each, k.name, looks, notifiers*each)
}

// lastOfABurst has one goroutine notify of a few apps while Work is called again and again, many
// times over. No later note helps the last one of a burst. A Level looks at each app, of which none is
// known, and Edge acts on each event, which reports that a pod is missing.
func lastOfABurst(t *conform.T, k kind) {
	const bursts, works = 400, 30
	keys := []string{"a", "b", "c"}
	c := newCluster(t, map[string]State{})
	c.silent = true
	act := "Get "
	if k.name == "Edge" {
		act = "Scale "
	}
	v := start(t, k, c)
	begin, ends := make(chan int), make(chan int)
	t.Go("notifier", func(a *conform.Actor) {
		call := a.Call("Notify of %v, up to %d times, while Work is called again and again", keys, bursts)
		for burst := range begin {
			for _, key := range keys {
				v.Notify(Event{key, State{}, State{1, 0}})
			}
			ends <- burst
		}
		call.Returned("")
	})
	lost, got := -1, []string(nil)
	for burst := 0; burst < bursts && lost < 0; burst++ {
		begin <- burst
		for n, done := 0, false; !done; n++ {
			if n >= works {
				<-ends
				break
			}
			v.Work()
			select {
			case <-ends:
				done = true
			default:
			}
		}
		v.Work()
		if looks := slices.Compact(c.asked()); count(looks, act) < len(keys) {
			lost, got = burst, looks
		}
	}
	close(begin)
	t.Join()
	t.Require(lost < 0, "One goroutine notified of %v, while Work of %s was called again and again. Notify had returned for each, Work was called once more, and by its end the cluster had only been asked [%s]: a note that came while Work was under way was lost. This was round %d.", keys, k.name, tally(got), lost+1)
}
