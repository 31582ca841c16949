package informertest

import (
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// resyncing is the part of the suite about who hears of a resync, and when.
var resyncing = []conform.Case[Subject]{
	{
		Name:   "resync-per-handler",
		Points: 5,
		Func:   "SharedInformer.AddEventHandlerWithResyncPeriod",
		Look:   []string{"the resync in SharedInformer.Run", "SharedInformer.AddEventHandlerWithResyncPeriod"},
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
			"A handler's resync is due when shouldResync is called and its period has passed since it was added, or since its resync was last due.",
			"Exactly that long is enough.",
			"shouldResync reports whether any handler's is.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a", "b")
			p := newParts(c)
			p.Resync = 2 * time.Second
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
			initial := []string{"add a@1 initial", "add b@2 initial"}
			never.hearsAnyOrder(t, "Resyncs went to other handlers, and this one has the period 0, which is never.", initial...)
			often.updatedAsDue(t, "The check period is 2s, and there are two objects. A handler with a resync period of 4s hears of both every 4s, whatever is due for the handler \"seldom\", with 7s.")
			seldom.updatedAsDue(t, "The check period is 2s, and there are two objects. A handler with a resync period of 7s hears of both at the first check after 7s, at 8s, and at the first one 7s after that, at 16s. For the handler \"often\", with 4s, a resync is due at 4s, 8s, 12s and 16s.")
			resynced := []string{"update a@1→a@1", "update b@2→b@2"}
			seldom.hearsAnyOrder(t, "A resync is an update of every stored object to itself, and there were two.", slices.Concat(initial, resynced, resynced)...)
			p.answers.were(t, 8, 4, "The check period is 2s, and the resync of a handler was due at 4s, 8s, 12s and 16s.")
			run.end()
			countsFromTheAdd(t, open())
		},
	},
	{
		Name:   "resync-period-bounds",
		Points: 4,
		Func:   "SharedInformer.AddEventHandlerWithResyncPeriod",
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
			"A handler that is added before Run with a period shorter than the check period shortens the check period.",
			"the handler's period becomes as long as the check period",
			"AddEventHandler is AddEventHandlerWithResyncPeriod with the period of the Options.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			c := newCluster("a")
			p := newParts(c)
			p.Resync = time.Minute
			i := assemble(t, open(), p)
			tiny := handler(t, "tiny").expectUpdates(seconds(1, 2, 3, 4)...)
			i.every(t, tiny, time.Millisecond)
			run := i.run(t)
			defer run.cancel()
			time.Sleep(4*time.Second + time.Second/2)
			const second = "The informer's period is 1m, and a handler asked for 1ms before Run. That means a second, and shortens the check period to a second."
			tiny.updatedAsDue(t, second)
			run.end()
			if p.period > 0 { // an informer with a reflector of its own never calls Reflect
				t.Require(p.period == time.Second, "%s Reflect was called with a resync period of %v.", second, p.period)
			}

			p = newParts(c)
			p.Resync = 400 * time.Millisecond
			i = assemble(t, open(), p)
			own := handler(t, "own").expectUpdates(1200*time.Millisecond, 2400*time.Millisecond)
			i.add(t, own)
			run = i.run(t)
			defer run.cancel()
			time.Sleep(2500 * time.Millisecond)
			own.updatedAsDue(t, "The informer's period is 400ms, and a handler asked for no other. For the handler it means a second: it is due at the first check after 1s, and at the first one 1s after that.")
			run.end()

			p = newParts(c)
			p.Resync = 4 * time.Second
			i = assemble(t, open(), p)
			early, late := handler(t, "early").expectUpdates(seconds(4, 8, 12, 16)...), handler(t, "late").expectUpdates(seconds(12, 16)...)
			i.add(t, early)
			run = i.run(t)
			defer run.cancel()
			time.Sleep(5 * time.Second)
			i.every(t, late, time.Nanosecond)
			time.Sleep(12*time.Second - time.Second/2)
			early.updatedAsDue(t, "The check period is 4s. After 5s another handler was added, with a shorter period, which changes nothing for this one.")
			late.updatedAsDue(t, "The check period is 4s, and a handler was added after 5s with the period 1ns. During Run that becomes 4s: its first resync is due at the first check after 9s.")
			run.end()
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

// countsFromTheAdd calls Run three seconds after a handler was added.
func countsFromTheAdd(t *conform.T, s Subject) {
	p := newParts(newCluster("a"))
	p.Resync = 2 * time.Second
	i := assemble(t, s, p)
	x := handler(t, "x").expectUpdates(seconds(5, 9)...)
	i.every(t, x, 4*time.Second)
	time.Sleep(3 * time.Second)
	run := i.run(t)
	defer run.cancel()
	time.Sleep(8*time.Second - time.Second/2)
	x.updatedAsDue(t, "The check period is 2s. A handler with a resync period of 4s was added 3s before Run was called, so that the first checks come 5s and 7s after the handler was added. Its period has passed since it was added, and so it is due at the first of them.")
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
