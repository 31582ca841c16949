package goroutinestest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const file = "gather.go"

var faults = []conform.Fault{
	{
		Name:    "order-of-completion",
		Mistake: "Results are appended as they come in, under a lock, so they stand in the order of completion.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "results := make([]T, len(tasks))", New: "var mu sync.Mutex\n\tresults := make([]T, 0, len(tasks))"},
			{Old: "results[i] = value", New: "mu.Lock()\n\t\t\tresults = append(results, value)\n\t\t\tmu.Unlock()"},
			{Old: "for i, task := range tasks", New: "for _, task := range tasks"},
		},
		KilledBy: "keeps-order",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "append-without-lock",
		Mistake: "append to a shared slice is taken for atomic.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "results := make([]T, len(tasks))", New: "results := make([]T, 0, len(tasks))"},
			{Old: "results[i] = value", New: "results = append(results, value)"},
			{Old: "for i, task := range tasks", New: "for _, task := range tasks"},
		},
		KilledBy: "results-are-not-raced-for",
		Verdict:  verdict.DataRace,
	},
	{
		Name:    "add-inside-the-goroutine",
		Mistake: "The WaitGroup is raised by the goroutine itself, so Wait can run before the first Add.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "wg.Go(func() {", New: "go func() {\n\t\t\twg.Add(1)\n\t\t\tdefer wg.Done()"},
			{Old: "\t\t})\n\t}\n\twg.Wait()", New: "\t\t}()\n\t}\n\twg.Wait()"},
		},
		KilledBy: "results-are-not-raced-for",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "one-after-the-other",
		Mistake:  "The go statement was forgotten: tasks run in the caller's goroutine, in turn.",
		File:     file,
		Edits:    conform.Swap("wg.Go(func() {", "wg.Add(1)\n\t\tfunc(f func()) { f(); wg.Done() }(func() {"),
		KilledBy: "runs-at-once",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "limit-not-kept",
		Mistake:  "The slot is given back before the task runs, so the limit bounds nothing.",
		File:     file,
		Edits:    conform.Swap("defer func() { <-slots }()", "<-slots"),
		KilledBy: "respects-limit",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "limit-one-short",
		Mistake:  "The semaphore has one place fewer than the limit: the task in the loop's hand is counted too.",
		File:     file,
		Edits:    conform.Swap("slots := make(chan struct{}, limit)", "slots := make(chan struct{}, max(limit-1, min(limit, 1)))"),
		KilledBy: "reaches-limit",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "slot-never-given-back",
		Mistake:  "The slot is given back only by tasks that fail.",
		File:     file,
		Edits:    conform.Swap("defer func() { <-slots }()\n\t\t\tvalue, err := call(inner, task)\n\t\t\tif err != nil {", "value, err := call(inner, task)\n\t\t\tif err != nil {\n\t\t\t\t<-slots"),
		KilledBy: "respects-limit",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "in-batches",
		Mistake:  "When all slots are taken the loop waits for the whole batch.",
		File:     file,
		Edits:    conform.Swap("if !acquire(inner, slots) {", "if len(slots) == cap(slots) {\n\t\t\twg.Wait()\n\t\t}\n\t\tif !acquire(inner, slots) {"),
		KilledBy: "reuses-slots-at-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "last-error-wins",
		Mistake: "Every failure overwrites the error: what is returned is the last echo, not the cause.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "once  sync.Once // the first failure wins", New: "once  sync.Mutex"},
			{Old: "once.Do(func() {\n\t\t\tfirst = err\n\t\t\tcancel()\n\t\t})", New: "once.Lock()\n\t\tdefer once.Unlock()\n\t\tfirst = err\n\t\tcancel()"},
		},
		KilledBy: "first-error-wins",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "error-without-lock",
		Mistake: "The first error is stored if there is none yet, without a lock: check and set are two steps.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "once  sync.Once // the first failure wins", New: ""},
			{Old: "once.Do(func() {\n\t\t\tfirst = err\n\t\t\tcancel()\n\t\t})", New: "if first == nil {\n\t\t\tfirst = err\n\t\t\tcancel()\n\t\t}"},
		},
		KilledBy: "many-failures-at-once",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "callers-context",
		Mistake:  "Tasks get the caller's context, which nobody cancels when a task fails.",
		File:     file,
		Edits:    conform.Swap("call(inner, task)", "call(ctx, task)"),
		KilledBy: "error-cancels-the-rest",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:    "select-alone",
		Mistake: "The select is trusted to prefer the cancelled context; with a free slot too it picks at random (kubernetes#49145 is what follows).",
		File:    file,
		Edits: []conform.Edit{
			{Old: "if ctx.Err() != nil {\n\t\treturn false\n\t}\n", New: ""},
			{Old: "return ctx.Err() == nil", New: "return true"},
		},
		KilledBy: "cancelled-before-start",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "returns-on-first-error",
		Mistake:  "Gather returns as soon as it knows of an error, with goroutines still under way.",
		File:     file,
		Edits:    conform.Swap("\twg.Wait()\n\tif first", "\tdone := make(chan struct{})\n\tgo func() { wg.Wait(); close(done) }()\n\tselect {\n\tcase <-done:\n\tcase <-inner.Done():\n\t\tonce.Do(func() { first = inner.Err() })\n\t}\n\tif first"),
		KilledBy: "waits-after-error",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "recover-in-the-caller",
		Mistake:  "recover is deferred in Gather itself; a panic can only be caught in its own goroutine.",
		File:     file,
		Edits:    conform.Swap("if p := recover(); p != nil {\n\t\t\terr", "if p := any(nil); p != nil {\n\t\t\terr"),
		KilledBy: "panic-becomes-error",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "wait-without-cancel",
		Mistake:  "While all slots are taken, Gather does not listen to its context.",
		File:     file,
		Edits:    conform.Swap("\tselect {\n\tcase <-ctx.Done():\n\t\treturn false\n\tcase slots <- struct{}{}:\n\t\treturn ctx.Err() == nil\n\t}", "\tslots <- struct{}{}\n\treturn true"),
		KilledBy: "cancelled-while-waiting",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "context-left-open",
		Mistake:  "cancel is called on failure only: after a success the derived context stays registered with its parent for ever.",
		File:     file,
		Edits:    conform.Swap("\tdefer cancel()\n", ""),
		KilledBy: "leaves-nothing-behind",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "late-cancel-loses-work",
		Mistake:  "ctx is looked at once more at the end, and finished work is thrown away.",
		File:     file,
		Edits:    conform.Swap("\treturn results, nil", "\tif ctx.Err() != nil {\n\t\treturn nil, ctx.Err()\n\t}\n\treturn results, nil"),
		KilledBy: "late-cancel-keeps-results",
		Verdict:  verdict.WrongAnswer,
	},
}
