package debouncetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const file = "debounce.go"

var faults = append(faultsOfTime, faultsOfState...)

var faultsOfTime = []conform.Fault{
	{
		Name:     "leading-edge",
		Mistake:  "The first update after a pause is pushed at once and only those that follow are held back.",
		File:     file,
		Edits:    conform.Swap("\tr.batch, r.pending, r.first = u, true, r.last", "\tr.batch, r.pending, r.first = u, true, r.last\n\tr.last = r.last.Add(-r.Quiet)"),
		KilledBy: "waits-for-quiet",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "quiet-from-the-first",
		Mistake: "The timer is set by the first update only: a burst that is longer than Quiet is cut in two.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tr.last = time.Now()\n\tif r.pending {", New: "\tif r.pending {"},
			{Old: "\tr.batch, r.pending, r.first = u, true, r.last", New: "\tr.last = time.Now()\n\tr.batch, r.pending, r.first = u, true, r.last"},
		},
		KilledBy: "burst-is-one-push",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-maximum",
		Mistake:  "Every update starts the wait over, without a bound: a stream that is never quiet is never pushed.",
		File:     file,
		Edits:    conform.Swap("\t\treturn latest\n", "\t\treturn at\n"),
		KilledBy: "max-bounds-the-wait",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "maximum-seen-too-late",
		Mistake:  "The timer knows Quiet only, and Max is looked at when something else wakes the loop (as istiod does).",
		File:     file,
		Edits:    conform.Swap("time.Until(r.deadline())", "time.Until(r.last.Add(r.Quiet))"),
		KilledBy: "max-bounds-the-wait",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "first-of-all-times",
		Mistake:  "The time of the first update is remembered once and not for each batch.",
		File:     file,
		Edits:    conform.Swap("\tr.batch, r.pending, r.first = u, true, r.last", "\tif r.first.IsZero() {\n\t\tr.first = r.last\n\t}\n\tr.batch, r.pending = u, true"),
		KilledBy: "each-batch-is-its-own",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "max-zero-is-now",
		Mistake:  "A Max that is not set is taken for a maximum of no time at all.",
		File:     file,
		Edits:    conform.Swap("r.Max > 0 && latest.Before(at)", "latest.Before(at)"),
		KilledBy: "zero-means-none",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "max-needs-a-second-update",
		Mistake:  "Max is thought to matter only once a batch has been prolonged; nobody would set Quiet longer than Max.",
		File:     file,
		Edits:    conform.Swap("r.Max > 0 && latest.Before(at)", "r.Max > 0 && latest.Before(at) && r.last.After(r.first)"),
		KilledBy: "debounce-model",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "quiet-starts-over",
		Mistake:  "When a push ends the wait begins anew, even for what was due long ago.",
		File:     file,
		Edits:    conform.Swap("\t\t\tr.pushing = false\n", "\t\t\tr.pushing, r.last = false, time.Now()\n"),
		KilledBy: "due-during-a-push",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "maximum-starts-over",
		Mistake:  "Max is counted from the end of the push before instead of from the first update.",
		File:     file,
		Edits:    conform.Swap("\t\t\tr.pushing = false\n", "\t\t\tr.pushing, r.first = false, time.Now()\n"),
		KilledBy: "not-yet-due-after-a-push",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "pushes-when-free",
		Mistake:  "When a push ends whatever is pending is pushed, due or not.",
		File:     file,
		Edits:    conform.Swap("\t\t\tr.pushing = false\n", "\t\t\tr.pushing, r.last = false, time.Time{}\n"),
		KilledBy: "not-yet-due-after-a-push",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "close-waits-for-quiet",
		Mistake:  "After the close the batch waits for further updates that cannot come.",
		File:     file,
		Edits:    conform.Swap("return r.closed || !time.Now()", "return !time.Now()"),
		KilledBy: "close-flushes",
		Verdict:  verdict.WrongAnswer,
	},
}

var faultsOfState = []conform.Fault{
	{
		Name:     "pushes-inline",
		Mistake:  "push is called in the loop: nobody receives while it runs.",
		File:     file,
		Edits:    conform.Swap("\tgo func() {\n\t\tpush(ctx, batch)\n\t\tr.idle <- struct{}{} // has room: at most one push is under way\n\t}()", "\tpush(ctx, batch)\n\tr.idle <- struct{}{}"),
		KilledBy: "senders-never-wait",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "a-goroutine-for-each-push",
		Mistake: "Each batch is pushed in a goroutine of its own as soon as it is due, whatever is still running (istio#16433).",
		File:    file,
		Edits: []conform.Edit{
			{Old: "if !r.pending || r.pushing {\n\t\treturn false", New: "if !r.pending {\n\t\treturn false"},
			{Old: "if !r.pending || r.pushing {\n\t\treturn nil", New: "if !r.pending {\n\t\treturn nil"},
		},
		KilledBy: "one-push-at-a-time",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "lost-during-the-push",
		Mistake:  "The batch is reset when the push has ended, and with it all that came while it ran.",
		File:     file,
		Edits:    conform.Swap("\t\t\tr.pushing = false\n", "\t\t\tr.pushing, r.pending = false, false\n"),
		KilledBy: "due-during-a-push",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "merges-into-the-pushed",
		Mistake: "The batch is forgotten only when the push has ended; until then updates are merged into what push is reading.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "r.batch, r.pending, r.pushing = none, false, true", New: "r.batch, r.pushing = batch, true\n\t_ = none"},
			{Old: "\t\t\tr.pushing = false\n", New: "\t\t\tr.pushing, r.pending = false, false\n"},
		},
		KilledBy: "batch-is-handed-over",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "close-forgets",
		Mistake:  "Run takes the close for the end and drops what was pending.",
		File:     file,
		Edits:    conform.Swap("r.closed, updates = true, nil", "r.closed, updates, r.pending = true, nil, false"),
		KilledBy: "close-flushes",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "returns-before-the-push",
		Mistake:  "After the close Run returns when the last push has begun, not when it has returned.",
		File:     file,
		Edits:    conform.Swap("if r.closed && !r.pushing {", "if r.closed && !r.pending {"),
		KilledBy: "close-during-a-push",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "flushes-nothing",
		Mistake:  "The flush on close does not ask whether there is anything to flush.",
		File:     file,
		Edits:    conform.Swap("r.closed, updates = true, nil", "r.closed, updates, r.pending = true, nil, true"),
		KilledBy: "nothing-to-push",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "flushes-on-cancel",
		Mistake:  "A last push after the cancellation, so that nothing gets lost: it is a push by a process that is no longer the leader.",
		File:     file,
		Edits:    conform.Swap("\treturn ctx.Err()\n}", "\tif r.pending {\n\t\tpush(ctx, r.batch)\n\t}\n\treturn ctx.Err()\n}"),
		KilledBy: "cancel-drops-what-is-pending",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "a-reader-left-behind",
		Mistake:  "A goroutine ranges over updates and passes them on; after a cancellation it waits for ever.",
		File:     file,
		Edits:    conform.Swap("\tfor ctx.Err() == nil {", "\tsource, fed := updates, make(chan U)\n\tgo func() {\n\t\tdefer close(fed)\n\t\tfor u := range source {\n\t\t\tfed <- u\n\t\t}\n\t}()\n\tupdates = fed\n\tfor ctx.Err() == nil {"),
		KilledBy: "cancel-drops-what-is-pending",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:     "leaves-the-push-behind",
		Mistake:  "On cancel Run returns at once, with a push still running.",
		File:     file,
		Edits:    conform.Swap("\tif r.pushing {\n\t\t<-r.idle\n\t}\n", ""),
		KilledBy: "cancel-waits-for-the-push",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "push-gets-background",
		Mistake:  "push gets a context that nobody can cancel, and Run waits for it.",
		File:     file,
		Edits:    conform.Swap("\t\tpush(ctx, batch)\n", "\t\tpush(context.Background(), batch)\n"),
		KilledBy: "cancel-waits-for-the-push",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:    "select-alone",
		Mistake: "ctx is looked at in the select only; when a push ends at the same moment, select may begin another.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tfor ctx.Err() == nil {", New: "\tfor {"},
			{Old: "\t\tcase <-ctx.Done():\n", New: "\t\tcase <-ctx.Done():\n\t\t\tif r.pushing {\n\t\t\t\t<-r.idle\n\t\t\t\tr.pushing = false\n\t\t\t}\n\t\t\treturn ctx.Err()\n"},
		},
		KilledBy: "cancel-beats-due",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "merged-the-wrong-way-round",
		Mistake:  "The arguments of merge are swapped: the older change wins.",
		File:     file,
		Edits:    conform.Swap("r.merge(r.batch, u)", "r.merge(u, r.batch)"),
		KilledBy: "merges-in-order",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "merged-with-nothing",
		Mistake:  "The first update is merged with a zero value, as if that were an empty batch.",
		File:     file,
		Edits:    conform.Swap("r.batch, r.pending, r.first = u, true, r.last", "r.batch, r.pending, r.first = r.merge(r.batch, u), true, r.last"),
		KilledBy: "merges-in-order",
		Verdict:  verdict.WrongAnswer,
	},
}
