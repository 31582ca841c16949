package informertest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// resyncFaults are mistakes about who hears of a resync.
var resyncFaults = []conform.Fault{
	{
		Name:     "resync-for-all",
		Mistake:  "A resync reaches all handlers whenever one of them is due.",
		File:     "informer.go",
		Edits:    conform.Swap("if !isSync || l.syncing {", "if !isSync || l.resyncPeriod > 0 {"),
		KilledBy: "resync-per-handler",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "first-due-hides-the-rest",
		Mistake:  "shouldResync stops looking when it has found one handler that is due.",
		File:     "informer.go",
		Edits:    conform.Swap("\t\tif l.markSyncing(now) {\n", "\t\tif !due && l.markSyncing(now) {\n"),
		KilledBy: "resync-per-handler",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "resync-without-a-minimum",
		Mistake:  "A handler gets whatever period it asks for.",
		File:     "informer.go",
		Edits:    conform.Swap("period = max(period, minimumResync)", "period = max(period, minimumResync/1000)"),
		KilledBy: "resync-period-bounds",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "late-period-not-raised",
		Mistake:  "A handler that joins during Run keeps a period that is shorter than the check period.",
		File:     "informer.go",
		Edits:    conform.Swap("return max(period, s.checkPeriod)", "return period"),
		KilledBy: "resync-period-bounds",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "next-due-on-a-grid",
		Mistake:  "The next resync is due one period after the last one should have been, not after the check that found it due.",
		File:     "listener.go",
		Edits:    conform.Swap("l.nextResync = now.Add(l.resyncPeriod)", "l.nextResync = l.nextResync.Add(l.resyncPeriod)"),
		KilledBy: "resync-per-handler",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "zero-is-the-shortest",
		Mistake:  "An informer without a resync period takes that of its first handler who has one.",
		File:     "informer.go",
		Edits:    conform.Swap("\tif period <= 0 || s.checkPeriod <= 0 {\n\t\treturn 0\n\t}\n", "\tif period <= 0 {\n\t\treturn 0\n\t}\n\tif s.checkPeriod <= 0 {\n\t\ts.checkPeriod = period\n\t}\n"),
		KilledBy: "no-resync-by-default",
		Verdict:  verdict.WrongAnswer,
	},
}

// endFaults are mistakes about how an informer begins and ends.
var endFaults = []conform.Fault{
	{
		Name:     "run-leaves-handlers-behind",
		Mistake:  "Run tells the handlers' goroutines to stop and does not wait for them (kubernetes#45454).",
		File:     "informer.go",
		Edits:    conform.Swap("\ts.stopListeners()\n\ts.running.Wait()\n", "\ts.stopListeners()\n"),
		KilledBy: "run-joins-everything",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "handlers-stopped-first",
		Mistake: "The handlers are stopped as soon as ctx is done, by closing the channel that wakes them; the Queue goes on for a moment and sends on it.",
		File:    "informer.go",
		Edits: []conform.Edit{
			{
				Old: "\tpops.Go(func() { s.process(ctx) })\n",
				New: "\tpops.Go(func() { s.process(ctx) })\n\tpops.Go(func() {\n\t\t<-ctx.Done()\n\t\ts.mu.Lock()\n\t\tdefer s.mu.Unlock()\n\t\tfor _, l := range s.listeners {\n\t\t\tl.stop()\n\t\t\tclose(l.wake)\n\t\t}\n\t})\n",
			},
			{Old: "\tfor _, l := range s.listeners {\n\t\tl.stop()\n\t}\n\ts.listeners = nil\n", New: "\ts.listeners = nil\n"},
		},
		KilledBy: "stops-in-order",
		Verdict:  verdict.Panic,
	},
	{
		Name:    "reflector-left-behind",
		Mistake: "Reflect has a goroutine of its own that nobody waits for: it will end by itself, because its ctx is done.",
		File:    "informer.go",
		Edits: conform.Swap("\ts.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)\n",
			"\tgo s.options.Reflect(ctx, s.options.Queue, checkPeriod, s.resyncDue)\n\t<-ctx.Done()\n"),
		KilledBy: "stops-in-order",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "runs-as-often-as-called",
		Mistake:  "Nobody looks whether the informer runs already.",
		File:     "informer.go",
		Edits:    conform.Swap("\tif s.started {\n\t\treturn 0, false\n\t}\n\ts.started = true\n\tfor _, l := range s.listeners {\n\t\ts.running.Go(l.run)\n\t}\n", "\tif !s.started {\n\t\tfor _, l := range s.listeners {\n\t\t\ts.running.Go(l.run)\n\t\t}\n\t}\n\ts.started = true\n"),
		KilledBy: "runs-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "added-to-the-dead",
		Mistake:  "An informer that has stopped accepts handlers, and their goroutines wait for ever for something to happen.",
		File:     "informer.go",
		Edits:    conform.Swap("\tif s.stopped {\n\t\treturn nil, ErrStopped\n\t}\n", ""),
		KilledBy: "add-after-stop",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "late-joiner-not-stopped",
		Mistake: "Whether the informer has stopped is looked at before the lock is taken, so a handler can join when all others were just stopped, and is never stopped itself.",
		File:    "informer.go",
		Edits: conform.Swap("\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif s.stopped {\n\t\treturn nil, ErrStopped\n\t}\n",
			"\tif s.stopped {\n\t\treturn nil, ErrStopped\n\t}\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n"),
		KilledBy: "stop-in-a-storm",
		Verdict:  verdict.DataRace,
	},
}

// factoryFaults are mistakes of the Factory.
var factoryFaults = []conform.Fault{
	{
		Name:     "informer-for-each-caller",
		Mistake:  "The factory makes a new informer for everybody who asks, and keeps the last one.",
		File:     "factory.go",
		Edits:    conform.Swap("if e, ok := f.informers[key]; ok {", "if e, ok := f.informers[key]; ok && e.started {"),
		KilledBy: "one-informer-per-type",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-default-resync",
		Mistake:  "The factory's resync period is forgotten when an informer is made.",
		File:     "factory.go",
		Edits:    conform.Swap("newInformer(f.defaultResync)", "newInformer(0)"),
		KilledBy: "one-informer-per-type",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "started-again",
		Mistake:  "Each Start runs all informers.",
		File:     "factory.go",
		Edits:    conform.Swap("\t\tif !e.started {\n\t\t\te.started = true", "\t\tif !e.started || e.started {\n\t\t\te.started = true"),
		KilledBy: "factory-starts-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "one-is-enough",
		Mistake:  "WaitForCacheSync returns when the first informer has synced.",
		File:     "factory.go",
		Edits:    conform.Swap("\t\tfor len(waiting) > 0 && waiting[0].informer.HasSynced() {\n\t\t\twaiting = waiting[1:]\n\t\t}\n", "\t\tfor _, e := range waiting {\n\t\t\tif e.informer.HasSynced() {\n\t\t\t\treturn true\n\t\t\t}\n\t\t}\n"),
		KilledBy: "factory-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "shutdown-does-not-wait",
		Mistake:  "Shutdown keeps informers from being started and goes.",
		File:     "factory.go",
		Edits:    conform.Swap("\tf.running.Wait()\n", ""),
		KilledBy: "factory-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "started-after-shutdown",
		Mistake:  "Start does not look whether the factory was shut down.",
		File:     "factory.go",
		Edits:    conform.Swap("\tif f.shuttingDown {\n\t\treturn\n\t}\n", ""),
		KilledBy: "factory-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "last-one-decides",
		Mistake:  "WaitForCacheSync asks all informers, and keeps the answer of the last.",
		File:     "factory.go",
		Edits:    conform.Swap("\t\tfor len(waiting) > 0 && waiting[0].informer.HasSynced() {\n\t\t\twaiting = waiting[1:]\n\t\t}\n\t\tif len(waiting) == 0 {\n", "\t\tsynced := len(waiting) == 0\n\t\tfor _, e := range waiting {\n\t\t\tsynced = e.informer.HasSynced()\n\t\t}\n\t\tif synced {\n"),
		KilledBy: "factory-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "waits-for-the-unstarted",
		Mistake:  "WaitForCacheSync waits for every informer that was ever requested, started or not.",
		File:     "factory.go",
		Edits:    conform.Swap("\t\tif e.started {\n\t\t\tstarted", "\t\tif e != nil {\n\t\t\tstarted"),
		KilledBy: "factory-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "waits-under-the-lock",
		Mistake:  "WaitForCacheSync holds the factory's lock while it waits, and Start waits with it.",
		File:     "factory.go",
		Edits:    []conform.Edit{{Old: "\tfor waiting := f.started(); ; {\n", New: "\tf.mu.Lock()\n\tdefer f.mu.Unlock()\n\tfor waiting := f.started(); ; {\n"}, {Old: "func (f *Factory) started() []*entry {\n\tf.mu.Lock()\n\tdefer f.mu.Unlock()\n", New: "func (f *Factory) started() []*entry {\n"}},
		KilledBy: "factory-waits",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "shutdown-flag-comes-last",
		Mistake:  "Shutdown waits first and sets its flag then: what is started meanwhile runs.",
		File:     "factory.go",
		Edits:    conform.Swap("\tf.mu.Lock()\n\tf.shuttingDown = true\n\tf.mu.Unlock()\n\tf.running.Wait()\n", "\tf.running.Wait()\n\tf.mu.Lock()\n\tf.shuttingDown = true\n\tf.mu.Unlock()\n"),
		KilledBy: "factory-waits",
		Verdict:  verdict.WrongAnswer,
	},
}
