package channelstest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const file = "pool.go"

// Pieces of the solution that more than one fault edits.
const (
	closer = "\tgo func() {\n\t\twg.Wait()\n\t\tclose(results)\n\t}()\n"
	take   = "\tselect {\n\tcase job, ok = <-jobs:\n\t\treturn job, ok && ctx.Err() == nil\n\tcase <-ctx.Done():\n\t\treturn job, false\n\t}\n"
	give   = "\t\tselect {\n\t\tcase results <- result:\n\t\tcase <-ctx.Done():\n\t\t\treturn\n\t\t}\n"
	staff  = "\tfor range max(workers, 1) {\n\t\twg.Go(func() { worker(ctx, jobs, results, work) })\n\t}\n"
)

var faults = []conform.Fault{
	{
		Name:    "every-worker-closes",
		Mistake: "Each worker closes the channel when it has no more jobs; the second close is a panic, and so is a send after the first.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "wg.Go(func() { worker(", New: "wg.Go(func() { defer close(results); worker("},
			{Old: closer, New: ""},
		},
		KilledBy: "last-result-of-a-slow-worker",
		Verdict:  verdict.WrongAnswer, // the channel is found closed before the panic of the next send can come
	},
	{
		Name:    "first-idle-worker-closes",
		Mistake: "The first worker that finds jobs closed closes the results, once and for all: the others still have theirs to send.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "var wg sync.WaitGroup", New: "var once sync.Once\n\tvar wg sync.WaitGroup"},
			{Old: "wg.Go(func() { worker(", New: "wg.Go(func() { defer once.Do(func() { close(results) }); worker("},
			{Old: closer, New: ""},
		},
		KilledBy: "last-result-of-a-slow-worker",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "closes-twice",
		Mistake: "The results are closed where the last worker ends, and once more by a deferred close 'to be safe'.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tgo func() {\n\t\twg.Wait()", New: "\tgo func() {\n\t\tdefer close(results)\n\t\twg.Wait()"},
		},
		KilledBy: "closes-once-after-the-last",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "never-closes",
		Mistake:  "The results are never closed: the author's own test reads as many results as there were jobs and notices nothing.",
		File:     file,
		Edits:    conform.Swap(closer, ""),
		KilledBy: "closes-when-done",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "waits-before-it-returns",
		Mistake:  "Pool itself waits for the workers and closes; they wait for a reader that has not been given the channel.",
		File:     file,
		Edits:    conform.Swap(closer, "\twg.Wait()\n\tclose(results)\n"),
		KilledBy: "returns-at-once",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "receive-without-ok",
		Mistake:  "The second value of the receive is not looked at: a closed channel looks like an endless row of zero jobs.",
		File:     file,
		Edits:    conform.Swap("job, ok = <-jobs:\n\t\treturn job, ok && ctx.Err() == nil", "job = <-jobs:\n\t\treturn job, ctx.Err() == nil"),
		KilledBy: "no-jobs",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "a-goroutine-for-each-job",
		Mistake: "Every job gets a goroutine of its own: go is cheap, so the number of workers bounds only the receivers.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tfor {\n\t\tjob, ok := receive", New: "\tvar each sync.WaitGroup\n\tdefer each.Wait()\n\tfor {\n\t\tjob, ok := receive"},
			{Old: "\t\tresult := work(ctx, job)\n" + give, New: "\t\teach.Go(func() {\n\t\t\tselect {\n\t\t\tcase results <- work(ctx, job):\n\t\t\tcase <-ctx.Done():\n\t\t\t}\n\t\t})\n"},
		},
		KilledBy: "never-more-than-workers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "one-worker-short",
		Mistake:  "The loop that starts the workers counts from one: the caller's own goroutine is taken for a worker too.",
		File:     file,
		Edits:    conform.Swap("range max(workers, 1)", "range max(workers-1, 1)"),
		KilledBy: "all-workers-work",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "no-workers",
		Mistake:  "An unset number of workers is not thought of: no worker is started, and the results are closed at once.",
		File:     file,
		Edits:    conform.Swap("range max(workers, 1)", "range workers"),
		KilledBy: "workers-below-one",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "buffered-results",
		Mistake:  "The channel of results gets a buffer so that workers need not wait: backpressure begins when the buffer is full.",
		File:     file,
		Edits:    conform.Swap("make(chan R)", "make(chan R, max(workers, 1))"),
		KilledBy: "holds-no-more-than-workers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "takes-jobs-in-advance",
		Mistake: "A dispatcher receives the jobs and hands them on, so one job more is always in its hand.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tvar wg sync.WaitGroup\n", New: "\tvar wg sync.WaitGroup\n\tinner := make(chan J)\n\twg.Go(func() {\n\t\tdefer close(inner)\n\t\tfor {\n\t\t\tjob, ok := receive(ctx, jobs)\n\t\t\tif !ok {\n\t\t\t\treturn\n\t\t\t}\n\t\t\tselect {\n\t\t\tcase inner <- job:\n\t\t\tcase <-ctx.Done():\n\t\t\t\treturn\n\t\t\t}\n\t\t}\n\t})\n"},
			{Old: "worker(ctx, jobs, results, work) })", New: "worker(ctx, inner, results, work) })"},
		},
		KilledBy: "holds-no-more-than-workers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "in-batches",
		Mistake: "A batch of jobs is started, all of them are waited for, then the next batch: the slowest of each batch sets the pace.",
		File:    file,
		Edits: []conform.Edit{
			{Old: staff, New: "\tbatch := func() (more bool) {\n\t\tvar each sync.WaitGroup\n\t\tdefer each.Wait()\n\t\tfor range max(workers, 1) {\n\t\t\tjob, ok := receive(ctx, jobs)\n\t\t\tif !ok {\n\t\t\t\treturn false\n\t\t\t}\n\t\t\teach.Go(func() {\n\t\t\t\tselect {\n\t\t\t\tcase results <- work(ctx, job):\n\t\t\t\tcase <-ctx.Done():\n\t\t\t\t}\n\t\t\t})\n\t\t}\n\t\treturn true\n\t}\n\twg.Go(func() {\n\t\tfor batch() {\n\t\t}\n\t})\n"},
		},
		KilledBy: "slow-job-holds-up-nobody",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "range-over-jobs",
		Mistake:  "A worker with no job listens to jobs alone, as range does, and sleeps through the cancellation.",
		File:     file,
		Edits:    conform.Swap(take, "\tjob, ok = <-jobs\n\treturn job, ok && ctx.Err() == nil\n"),
		KilledBy: "cancel-while-idle",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "send-without-cancel",
		Mistake:  "The result is sent without listening to ctx: a reader that leaves strands every worker (kubernetes#38670, kubernetes#25331).",
		File:     file,
		Edits:    conform.Swap(give, "\t\tresults <- result\n"),
		KilledBy: "cancel-with-nobody-reading",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:     "select-alone",
		Mistake:  "The select is trusted to prefer a cancelled context to a job that is ready; it picks at random.",
		File:     file,
		Edits:    conform.Swap("ok && ctx.Err() == nil", "ok"),
		KilledBy: "cancelled-before-start",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "looks-at-the-context-once",
		Mistake:  "ctx is looked at before the pool starts and not again between two jobs.",
		File:     file,
		Edits:    conform.Swap("\tfor {\n\t\tjob, ok := receive(ctx, jobs)\n\t\tif !ok {\n\t\t\treturn\n\t\t}\n\t\tresult := work(ctx, job)\n"+give, "\tif ctx.Err() != nil {\n\t\treturn\n\t}\n\tfor {\n\t\tselect {\n\t\tcase job, ok := <-jobs:\n\t\t\tif !ok {\n\t\t\t\treturn\n\t\t\t}\n\t\t\tresult := work(ctx, job)\n\t\t\tselect {\n\t\t\tcase results <- result:\n\t\t\tcase <-ctx.Done():\n\t\t\t}\n\t\tcase <-ctx.Done():\n\t\t\treturn\n\t\t}\n"),
		KilledBy: "cancel-starts-no-more",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "closes-on-cancel",
		Mistake:  "A cancelled context closes the results at once; the calls of work under way are not waited for (kubernetes#135072).",
		File:     file,
		Edits:    conform.Swap("\t\twg.Wait()\n\t\tclose(results)\n", "\t\tdone := make(chan struct{})\n\t\tgo func() { wg.Wait(); close(done) }()\n\t\tselect {\n\t\tcase <-done:\n\t\tcase <-ctx.Done():\n\t\t}\n\t\tclose(results)\n"),
		KilledBy: "closed-means-quiet",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "work-without-context",
		Mistake:  "work gets a context of its own, so nothing can tell it to stop.",
		File:     file,
		Edits:    conform.Swap("result := work(ctx, job)", "result := work(context.WithoutCancel(ctx), job)"),
		KilledBy: "work-gets-the-context",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "drains-jobs",
		Mistake:  "The pool empties jobs on its way out so that the sender gets on: what it throws away nobody will do.",
		File:     file,
		Edits:    conform.Swap("\t\twg.Wait()\n", "\t\twg.Wait()\n\t\tfor ctx.Err() != nil && len(jobs) > 0 {\n\t\t\t<-jobs\n\t\t}\n"),
		KilledBy: "leaves-jobs-alone",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "watches-the-context-for-ever",
		Mistake:  "A goroutine waits for ctx to log the end of the pool; if ctx never ends, neither does the goroutine (controller-runtime#649).",
		File:     file,
		Edits:    conform.Swap("\treturn results\n", "\tgo func() {\n\t\t<-ctx.Done()\n\t\twg.Wait()\n\t}()\n\treturn results\n"),
		KilledBy: "leaves-nothing-behind",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:     "spins-while-idle",
		Mistake:  "A default in the select keeps the worker 'responsive': it asks for a job millions of times a second.",
		File:     file,
		Edits:    conform.Swap(take, "\tfor {\n\t\tselect {\n\t\tcase job, ok = <-jobs:\n\t\t\treturn job, ok && ctx.Err() == nil\n\t\tcase <-ctx.Done():\n\t\t\treturn job, false\n\t\tdefault:\n\t\t}\n\t}\n"),
		KilledBy: "idle-costs-nothing",
		Verdict:  verdict.Timeout,
	},
	{
		Name:    "last-result-in-a-variable",
		Mistake: "Workers keep statistics about the results in a plain variable that they share.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tresults := make(chan R)\n", New: "\tresults := make(chan R)\n\tdone := 0\n\tcounted := func(ctx context.Context, job J) R {\n\t\tdone++\n\t\treturn work(ctx, job)\n\t}\n"},
			{Old: "worker(ctx, jobs, results, work) })", New: "worker(ctx, jobs, results, counted) })"},
		},
		KilledBy: "results-carry-their-memory",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "as-many-workers-as-jobs",
		Mistake:  "No more workers are started than there are jobs in the buffer: nobody is there for those that come later.",
		File:     file,
		Edits:    conform.Swap("range max(workers, 1)", "range max(min(workers, len(jobs)), 1)"),
		KilledBy: "all-workers-work",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "looks-before-the-select",
		Mistake:  "ctx is looked at before the select and not after it: a worker that is on its way to the select may take a job that came after the cancel.",
		File:     file,
		Edits:    conform.Swap(take, "\tif ctx.Err() != nil {\n\t\treturn job, false\n\t}\n\tselect {\n\tcase job, ok = <-jobs:\n\t\treturn job, ok\n\tcase <-ctx.Done():\n\t\treturn job, false\n\t}\n"),
		KilledBy: "cancel-starts-no-more",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "takes-on-after-the-cancel",
		Mistake:  "A job that was received after the cancel is dropped, and the worker goes back to the select: about every second time it takes one more.",
		File:     file,
		Edits:    conform.Swap(take, "\tfor {\n\t\tselect {\n\t\tcase job, ok = <-jobs:\n\t\t\tif !ok || ctx.Err() == nil {\n\t\t\t\treturn job, ok\n\t\t\t}\n\t\tcase <-ctx.Done():\n\t\t\treturn job, false\n\t\t}\n\t}\n"),
		KilledBy: "leaves-jobs-alone",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "counts-and-closes-in-two-steps",
		Mistake: "The last worker closes the results, but it counts down in one step and looks in another: two workers can both see zero.",
		File:    file,
		Edits: []conform.Edit{
			{Old: "\tvar wg sync.WaitGroup\n", New: "\tvar left atomic.Int32\n\tleft.Store(int32(max(workers, 1)))\n"},
			{Old: "wg.Go(func() { worker(ctx, jobs, results, work) })", New: "go func() {\n\t\t\tworker(ctx, jobs, results, work)\n\t\t\tleft.Add(-1)\n\t\t\tif left.Load() == 0 {\n\t\t\t\tclose(results)\n\t\t\t}\n\t\t}()"},
			{Old: closer, New: ""},
			{Old: "\t\"sync\"\n", New: "\t\"sync/atomic\"\n"},
		},
		KilledBy: "closes-once-after-the-last",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "derived-context-left-open",
		Mistake:  "The workers get a context of their own that nobody cancels: it stays registered with the caller's as long as that lives.",
		File:     file,
		Edits:    conform.Swap("\tvar wg sync.WaitGroup\n", "\tctx, _ = context.WithCancel(ctx)\n\tvar wg sync.WaitGroup\n"),
		KilledBy: "leaves-nothing-behind",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:     "context-without-deadline",
		Mistake:  "work gets a context that is cancelled together with the caller's, but has neither its deadline nor its cause.",
		File:     file,
		Edits:    conform.Swap("result := work(ctx, job)", "own, end := context.WithCancel(context.WithoutCancel(ctx))\n\t\tstop := context.AfterFunc(ctx, end)\n\t\tresult := work(own, job)\n\t\tstop()\n\t\tend()"),
		KilledBy: "work-gets-the-context",
		Verdict:  verdict.WrongAnswer,
	},
}
