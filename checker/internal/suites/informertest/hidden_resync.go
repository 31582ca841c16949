package informertest

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// resyncing is the part of the suite about who hears of a resync, and when.
var resyncing = []conform.Case[Subject]{
	{
		Name:   "resync-per-handler",
		Points: 5,
		Func:   "SharedInformer.AddEventHandlerWithResyncPeriod",
		Look:   []string{"the resync in SharedInformer.Run", "SharedInformer.AddEventHandlerWithResyncPeriod", "SharedInformer.RemoveEventHandler"},
		Rule:   "A resync reaches the handlers for which it is due, as an update of every object, and no others.",
		Why:    "One controller wants to look at everything each minute. Another, with a costly handler, never does.",
		Hint: []string{
			"A Sync delta comes out of the Queue for everybody. For which of your handlers was it meant?",
			"Let shouldResync mark the handlers that are due, and give updates without a new version only to those.",
			"Ask every handler. If you stop at the first that is due, the others are not marked.",
		},
		Source: "client-go tools/cache/shared_informer.go: sharedProcessor.shouldResync, distribute",
		Contract: []string{
			"it goes to those handlers for which shouldResync has just found a resync due, and to no others",
			"A handler's resync is due when shouldResync is called and its period has passed since it was added (before Run as well), or since the last call of shouldResync that found it due.",
			"Exactly that long is enough.",
			"shouldResync reports whether any handler's resync is due.",
			"An update in which both objects have the same resource version is a sync",
			"handlers hear OnUpdate with the object that was stored before and the delta's object",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b")
			c.pods["b"].ResourceVersion = "" // as in some fakes
			p := newParts(c)
			p.Resync = 2 * time.Second
			p.queue.copies = true
			i := assemble(t, open(), p)
			never := handler(t, "never")
			often := handler(t, "often").expectUpdates(secondsTwice(4, 8, 12, 16)...)
			seldom := handler(t, "seldom").expectUpdates(secondsTwice(8, 16)...)
			i.every(t, never, 0)
			i.every(t, often, 4*time.Second)
			i.every(t, seldom, 7*time.Second)
			run := i.run(t)
			defer run.cancel()
			time.Sleep(16*time.Second + time.Second/2)
			initial := []string{"add a@1 initial", "add b@ initial"}
			never.hearsAnyOrder(t, "Resyncs went to other handlers, and this one has the period 0, which is never. (b has no resource version, so both objects of its update have the same, and the Queue passes copies.)", initial...)
			often.updatedAsDue(t, "The check period is 2s, and there are two objects. A handler with a resync period of 4s hears of both every 4s, whatever is due for the handler \"seldom\", with 7s.")
			seldom.updatedAsDue(t, "The check period is 2s, and there are two objects. A handler with a resync period of 7s hears of both at the first check after 7s, at 8s, and at the first one 7s after that, at 16s. For the handler \"often\", with 4s, a resync is due at 4s, 8s, 12s and 16s.")
			resynced := []string{"update a@1→a@1", "update b@→b@"}
			seldom.hearsAnyOrder(t, "A resync is an update of every stored object to itself, and there were two.", slices.Concat(initial, resynced, resynced)...)
			p.answers.were(t, 8, 4, "The check period is 2s, and the resync of a handler was due at 4s, 8s, 12s and 16s.")
			run.end()
			countsFromTheAdd(t, open(), 4*time.Second, 3*time.Second, seconds(5, 9))
			countsFromTheAdd(t, open(), 3*time.Second, time.Second, seconds(3, 7))
			resyncsTheBusy(t, open())
			resyncsWhatIsPending(t, open())
			resyncsWhatChanges(t, open())
			othersLeaveDuringAResync(t, open())
			nobodyIsDue(t, open())
			resyncsBeforeItHasSynced(t, open())
			resyncsACopy(t, open())
			resyncsWhileTheyComeAndGo(t, open())
			dueWithAnEmptyCache(t, open())
		},
	},
	{
		Name:   "resync-period-bounds",
		Points: 4,
		Func:   "SharedInformer.AddEventHandlerWithResyncPeriod",
		Look:   []string{"SharedInformer.AddEventHandlerWithResyncPeriod", "the resync in SharedInformer.Run"},
		Rule:   "A period below a second means a second. Before Run a short period shortens the check period. During Run no handler gets a period shorter than the check period.",
		Why:    "A resync calls a handler for every object there is: too short a period is a busy loop over the whole cache.",
		Hint: []string{
			"Reflect learns the check period once, when Run begins. Which period can a handler that comes later still get?",
			"Before Run: check = min(check, period). During Run: period = max(period, check).",
			"The first resync of a handler is due one whole period after it was added: compute that from the period that it gets, not from the one that it asked for.",
		},
		Source: "client-go tools/cache/shared_informer.go: minimumResyncPeriod, determineResyncPeriod",
		Contract: []string{
			"0 means never, and less than a second means a second",
			"At first that is ResyncPeriod, also if it is less than a second.",
			"A handler that is added before Run with a period shorter than the check period shortens the check period, which stays so if the handler is removed.",
			"A handler that is added during Run does not change the check period: if its own is shorter, it becomes as long as the check period.",
			"AddEventHandler is AddEventHandlerWithResyncPeriod with the period of the Options.",
			"A handler's resync is due when shouldResync is called and its period has passed since it was added (before Run as well), or since the last call of shouldResync that found it due.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			shortPeriod(t, open())
			ownPeriodBelowASecond(t, open())
			latePeriods(t, open())
			removedPeriod(t, open())
		},
	},
	{
		Name:   "no-resync-by-default",
		Points: 2,
		Func:   "SharedInformer.AddEventHandlerWithResyncPeriod",
		Rule:   "An informer whose own resync period is 0 never resyncs, whatever its handlers ask for.",
		Why:    "Most controllers run without resyncs: watches are reliable, and resyncs are a habit from the days when they were not.",
		Hint: []string{
			"0 is smaller than any period, but here it means never.",
		},
		Source: "client-go tools/cache/shared_informer.go: determineResyncPeriod (a check period of 0 means that resync is not supported)",
		Contract: []string{
			"If it is 0, this informer never resyncs, whatever its handlers ask for.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a")
			i := informer(t, open(), c)
			x, y, z := handler(t, "x"), handler(t, "y"), handler(t, "z")
			i.add(t, x)
			i.every(t, y, 2*time.Second)
			run := i.run(t)
			defer run.cancel()
			time.Sleep(10 * time.Second)
			i.every(t, z, 2*time.Second)
			time.Sleep(10 * time.Second)
			for _, h := range []*recorder{x, y, z} {
				h.hears(t, "The informer's own resync period is 0, and so it never resyncs.", "add a@1 initial")
			}
			run.end()
		},
	},
}

// shortPeriod has one handler with a period below a second, and one with that of the informer.
func shortPeriod(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.Resync = time.Minute
	i := assemble(t, s, p)
	tiny, own := handler(t, "tiny").expectUpdates(seconds(1, 2, 3, 4)...), handler(t, "own").expectUpdates()
	before := handler(t, "before").expectUpdates(seconds(3)...)
	i.every(t, before, 3*time.Second)
	i.every(t, tiny, time.Millisecond)
	after := handler(t, "after").expectUpdates(seconds(2, 4)...)
	i.every(t, after, 2*time.Second)
	i.add(t, own)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(4*time.Second + time.Second/2)
	const second = "The informer's period is 1m, and a handler asked for 1ms before Run. That means a second, and shortens the check period to a second."
	tiny.updatedAsDue(t, second)
	before.updatedAsDue(t, second+" Another handler was added before that with 3s, which stays its period.")
	after.updatedAsDue(t, second+" Another handler was added after that with 2s, which stays its period.")
	own.updatedAsDue(t, second+" Then another handler was added by AddEventHandler: its period is that of the informer, 1m, and not the check period.")
	run.end()
	if p.period > 0 { // an informer with a reflector of its own never calls Reflect
		t.Require(p.period == time.Second, "%s Other handlers were added with 3s before it and with 2s and 1m after it, which are not shorter. Reflect was called with a resync period of %v.", second, p.period)
	}
}

func ownPeriodBelowASecond(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.Resync = 400 * time.Millisecond
	i := assemble(t, s, p)
	own := handler(t, "own").expectUpdates(1200*time.Millisecond, 2400*time.Millisecond)
	late := handler(t, "late").expectUpdates(1200*time.Millisecond, 2400*time.Millisecond)
	less, lateLess := handler(t, "less").expectUpdates(1200*time.Millisecond, 2400*time.Millisecond), handler(t, "late less").expectUpdates(1200*time.Millisecond, 2400*time.Millisecond)
	i.add(t, own)
	i.every(t, less, 300*time.Millisecond)
	run := i.run(t)
	defer run.cancel()
	t.Wait()
	if p.period > 0 { // an informer with a reflector of its own never calls Reflect
		t.Require(p.period == 400*time.Millisecond, "The informer's period is 400ms, and Reflect was called with a resync period of %v. At first the check period is that of the Options, also if it is less than a second.", p.period)
	}
	i.every(t, late, 500*time.Millisecond)
	i.every(t, lateLess, 300*time.Millisecond)
	time.Sleep(2500 * time.Millisecond)
	for _, h := range []*recorder{less, lateLess} {
		h.updatedAsDue(t, "The informer's period is 400ms, which is the check period, too. Before Run the handler \"less\" was added, and at its beginning the handler \"late less\", each with the period 300ms. That means a second, which is not shorter than the check period: each is due at the first check after 1s, and at the first one 1s after that.")
	}
	own.updatedAsDue(t, "The informer's period is 400ms, and a handler asked for no other. For the handler it means a second: it is due at the first check after 1s, and at the first one 1s after that.")
	late.updatedAsDue(t, "The informer's period is 400ms, which is the check period, too, and at the beginning of Run a handler was added with the period 500ms. For it that means a second, also during Run: it is due at the first check after 1s, and at the first one 1s after that.")
	run.end()
}

// latePeriods adds handlers during Run: with a shorter period, a longer one and none.
func latePeriods(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.Resync = time.Minute
	i := assemble(t, s, p)
	early := handler(t, "early").expectUpdates(seconds(4, 8, 12, 16, 20)...)
	late, longer, never := handler(t, "late").expectUpdates(seconds(12, 16, 20)...), handler(t, "longer").expectUpdates(seconds(12, 20)...), handler(t, "never").expectUpdates()
	last := handler(t, "last").expectUpdates(seconds(12, 16, 20)...)
	longest := handler(t, "longest").expectUpdates()
	i.every(t, early, 4*time.Second)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(4*time.Second + time.Millisecond)
	i.every(t, late, time.Nanosecond)
	i.every(t, longer, 7*time.Second)
	i.every(t, never, 0)
	i.every(t, last, 2*time.Second)
	i.every(t, longest, math.MaxInt64)
	time.Sleep(16*time.Second + time.Second/2)
	const added = "The informer's period is 1m, and a handler with 4s has made the check period 4s. After 4.001s "
	early.updatedAsDue(t, added+"other handlers were added, which changes nothing for this one.")
	late.updatedAsDue(t, added+"a handler was added with the period 1ns. During Run that becomes 4s: its first resync is due at the first check after 8.001s, at 12s.")
	longer.updatedAsDue(t, added+"a handler was added with the period 7s. That is not shorter than the check period: its resync is due at the first check after 11.001s, at 12s, and at the first one 7s after that.")
	never.updatedAsDue(t, added+"a handler was added with the period 0, which is never, also during Run.")
	longest.updatedAsDue(t, added+"a handler was added with the longest period that there is, 292 years, which have not passed.")
	last.updatedAsDue(t, added+"handlers were added with the periods 1ns, 7s and 0, which does not change the check period, and then one with 2s. During Run that becomes 4s: its first resync is due at the first check after 8.001s, at 12s.")
	run.end()
}

// removedPeriod removes the handler that has shortened the check period, before Run. Another one is added when Run
// has begun and the Queue has passed nothing yet.
func removedPeriod(t *conform.T, s Subject) {
	c := newCluster()
	p := newParts(c)
	p.Resync = time.Minute
	i := assemble(t, s, p)
	gone := handler(t, "gone")
	i.removes(t, i.every(t, gone, 5*time.Second/2), "gone", "A handler was removed before Run")
	run := i.run(t)
	defer run.cancel()
	late := handler(t, "late").expectUpdates(5*time.Second, 15*time.Second/2)
	time.Sleep(time.Second)
	i.every(t, late, time.Nanosecond)
	c.put(t.Actor, "a")
	time.Sleep(7 * time.Second)
	late.updatedAsDue(t, "The informer's period is 1m, and a handler that was added with 2.5s and removed before Run has made the check period 2.5s, which stays so. After 1s a handler was added with the period 1ns, which becomes 2.5s: it is due at the first check after 3.5s, and at the next.")
	gone.hears(t, "A handler was removed before Run, and is never called.")
	run.end()
}

// resyncsTheBusy has a handler in a call, with another one pending, when its resync is due. Before it
// gets to what that brings, a resync is due for another handler and not for this one.
func resyncsTheBusy(t *conform.T, s Subject) {
	p := newParts(newCluster("a", "b"))
	p.Resync = 2 * time.Second
	i := assemble(t, s, p)
	goOn := make(chan struct{})
	x := handler(t, "x").doing(func(string) { <-goOn })
	i.every(t, x, 4*time.Second)
	i.add(t, handler(t, "other"))
	run := i.run(t)
	defer run.cancel()
	time.Sleep(11 * time.Second)
	close(goOn)
	t.Wait()
	x.hearsAnyOrder(t, "The check period is 2s, and a handler with 4s was in its first call for 11s. Its resync was due at 4s and at 8s all the same, and at 6s and 10s that of another handler alone: it hears of both objects twice when it gets to them.",
		"add a@1 initial", "add b@2 initial", "update a@1→a@1", "update b@2→b@2", "update a@1→a@1", "update b@2→b@2")
	p.answers.were(t, 5, 5, "The check period is 2s, as is that of a handler; another one, with 4s, was in its first call for 11s.")
	run.end()
}

// resyncsWhatIsPending has a handler in a call, with an update of the only object pending, when its resync is
// due, and again when the next one is.
func resyncsWhatIsPending(t *conform.T, s Subject) {
	c := newCluster("a")
	p := newParts(c)
	p.Resync = 2 * time.Second
	i := assemble(t, s, p)
	goOn := make(chan struct{})
	x := handler(t, "x").doing(func(string) { <-goOn })
	i.add(t, x)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	c.put(t.Actor, "a")
	time.Sleep(4 * time.Second)
	close(goOn)
	t.Wait()
	x.hears(t, "A handler with a resync period of 2s was in its first call for 5s. After 1s a was modified, and the handler's resync was due at 2s and at 4s: it hears of all three when it gets to them.",
		"add a@1 initial", "update a@1→a@2", "update a@2→a@2", "update a@2→a@2")
	run.end()
}

// resyncsWhatChanges has b change when a resync has queued it, and the Queue has not passed it yet.
func resyncsWhatChanges(t *conform.T, s Subject) {
	c := newCluster("a", "b")
	p := newParts(c)
	p.Resync = 2 * time.Second
	i := assemble(t, s, p)
	x, never := handler(t, "x"), handler(t, "never")
	i.add(t, x)
	i.every(t, never, 0)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(time.Second)
	x.take()
	never.take()
	p.queue.ponder(time.Second)
	time.Sleep(3 * time.Second / 2)
	c.put(t.Actor, "b")
	time.Sleep(time.Second)
	const during = "A resync was due for the handler x and not for the handler never. When it had queued a and b, and the Queue was busy with a, b was modified: one Pop may bring the sync and the change."
	x.hearsAnyOrder(t, during, "update a@1→a@1", "update b@2→b@2", "update b@2→b@3")
	never.hears(t, during, "update b@2→b@3")
	run.end()
}

// othersLeaveDuringAResync has handlers removed and one added when the first of three objects of a resync has come
// out of the Queue.
func othersLeaveDuringAResync(t *conform.T, s Subject) {
	p := newParts(newCluster("a", "b", "c"))
	p.Resync = 4 * time.Second
	i := assemble(t, s, p)
	first, x, never, y, last := handler(t, "first"), handler(t, "x"), handler(t, "never"), handler(t, "y"), handler(t, "last")
	leaves := []kit.Registration{i.every(t, first, 0)}
	i.add(t, x)
	i.every(t, never, 0)
	i.add(t, y)
	leaves = append(leaves, i.add(t, last))
	run := i.run(t)
	defer run.cancel()
	time.Sleep(3 * time.Second)
	for _, h := range []*recorder{x, never, y} {
		h.take()
	}
	p.queue.linger(2 * time.Second / 3)
	time.Sleep(4*time.Second/3 + time.Millisecond)
	i.removes(t, leaves[0], "first", "A handler was removed during Run")
	i.removes(t, leaves[1], "last", "A handler was removed during Run")
	i.every(t, handler(t, "guest"), 0)
	time.Sleep(2 * time.Second)
	const during = "A resync was due for the handlers x, y and last, and not for first and never. When one of its three objects had come out of the Queue, first and last were removed and another handler was added."
	for _, h := range []*recorder{x, y} {
		h.hearsAnyOrder(t, during, "update a@1→a@1", "update b@2→b@2", "update c@3→c@3")
	}
	never.hears(t, during)
	run.end()
}

// nobodyIsDue removes the only handler with a resync period.
func nobodyIsDue(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.Resync = 2 * time.Second
	i := assemble(t, s, p)
	r := i.add(t, handler(t, "x"))
	never := i.every(t, handler(t, "never"), 0)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(5 * time.Second)
	i.removes(t, r, "x", "A handler was removed during Run")
	time.Sleep(4 * time.Second)
	i.removes(t, never, "never", "A handler was removed during Run")
	time.Sleep(4 * time.Second)
	run.end()
	p.answers.were(t, 6, 2, "The check period is 2s. After 5s the only handler with a resync period was removed, and after 9s the last handler.")
}

// resyncsBeforeItHasSynced has a first list that takes six seconds to get into the Indexer.
func resyncsBeforeItHasSynced(t *conform.T, s Subject) {
	p := newParts(newCluster("a", "b", "c"))
	p.Resync = 2 * time.Second
	p.queue.dawdles = 3 * time.Second
	i := assemble(t, s, p)
	i.add(t, handler(t, "x"))
	run := i.run(t)
	defer run.cancel()
	time.Sleep(5 * time.Second)
	p.answers.were(t, 2, 2, "The check period is 2s, as is that of a handler, and the first list takes 6s to get into the Indexer: at 2s and at 4s the handler's period has passed.")
	run.end()
}

// looker is a handler that looks at the objects of an update.
type looker struct {
	*recorder
	look func(old, p *kit.Pod)
}

func (l looker) OnUpdate(old, p *kit.Pod) {
	l.look(old, p)
	l.recorder.OnUpdate(old, p)
}

// resyncsACopy has the Queue pass copies of what is stored, each with a mark. Upstream has a
// queue of its own, which makes none.
func resyncsACopy(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.Resync = 2 * time.Second
	p.queue.copies = true
	i := assemble(t, s, p)
	wrong := make(chan string, 10)
	updates := 0
	i.add(t, looker{handler(t, "x"), func(old, updated *kit.Pod) {
		updates++
		stored, _ := p.cache.GetByKey(key("a"))
		if stored == nil {
			return
		}
		if was, now := mark(old), mark(updated); was != updates-1 || now != updates {
			wrong <- fmt.Sprintf("A resync passed the %s copy of an object, and OnUpdate was called with copy %d as the old object and copy %d as the new one (0 is the object of the list). It is called with the object that was stored before and the new one.", nth(updates), was, now)
		} else if mark(stored) != updates {
			wrong <- fmt.Sprintf("A resync passed the %s copy of an object, and when a handler heard of it the Indexer had copy %d: it is updated, also if the resource version is the same.", nth(updates), mark(stored))
		}
	}})
	run := i.run(t)
	defer run.cancel()
	time.Sleep(5 * time.Second)
	run.end()
	if len(wrong) > 0 {
		t.Fatalf("%s", <-wrong)
	}
}

// nth is first or second.
func nth(n int) string { return map[int]string{1: "first", 2: "second"}[n] }

// countsFromTheAdd adds a handler with that period, and calls Run some time after it. The check period is 2s.
func countsFromTheAdd(t *conform.T, s Subject, period, before time.Duration, due []time.Duration) {
	p := newParts(newCluster("a"))
	p.Resync = 2 * time.Second
	i := assemble(t, s, p)
	x := handler(t, "x").expectUpdates(due...)
	i.every(t, x, period)
	time.Sleep(before)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(8*time.Second - time.Second/2)
	x.updatedAsDue(t, fmt.Sprintf("The check period is 2s. A handler with a resync period of %v was added %v before Run was called, so that the first checks come %v and %v after the handler was added. At the first of them its period has passed since it was added, and so it is due.", period, before, before+2*time.Second, before+4*time.Second))
	run.end()
}

func seconds(all ...int) []time.Duration {
	var out []time.Duration
	for _, s := range all {
		out = append(out, time.Duration(s)*time.Second)
	}
	return out
}

// secondsTwice is seconds for two objects.
func secondsTwice(all ...int) []time.Duration {
	var twice []int
	for _, s := range all {
		twice = append(twice, s, s)
	}
	return seconds(twice...)
}

// resyncsWhileTheyComeAndGo adds and removes handlers at the moments of the resyncs. Nothing but the
// informer orders the two.
func resyncsWhileTheyComeAndGo(t *conform.T, s Subject) {
	const rounds = 25
	p := newParts(newCluster("a", "b"))
	p.Resync = time.Second
	i := assemble(t, s, p)
	i.add(t, handler(t, "x"))
	run := i.run(t)
	defer run.cancel()
	gone := make(chan struct{})
	t.Go("comes and goes", func(a *conform.Actor) {
		defer close(gone)
		call := a.Call("AddEventHandler and RemoveEventHandler, each second, %d times", rounds)
		for range rounds {
			time.Sleep(time.Second)
			if r, err := i.i.AddEventHandler(handler(t, "guest")); err == nil {
				_ = i.i.RemoveEventHandler(r)
			}
		}
		call.Returned("")
	})
	<-gone
	run.end()
}

// dueWithAnEmptyCache has nothing that a resync could bring.
func dueWithAnEmptyCache(t *conform.T, s Subject) {
	p := newParts(newCluster())
	p.Resync = 2 * time.Second
	i := assemble(t, s, p)
	i.every(t, handler(t, "x"), 4*time.Second)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(9 * time.Second)
	run.end()
	p.answers.were(t, 4, 2, "The check period is 2s, there are no objects, and the resync of the only handler, with 4s, was due at 4s and 8s. Its period is counted from when it was last due, whatever the resync has brought.")
}
