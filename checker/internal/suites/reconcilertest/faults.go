package reconcilertest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	controllerFile = "controller.go"
	sourceFile     = "source.go"
	handlerFile    = "handler.go"
	predicateFile  = "predicate.go"
)

var faults = slices.Concat(resultFaults, workerFaults, startFaults, eventFaults)

// resultFaults are mistakes about what becomes of a request.
var resultFaults = []conform.Fault{
	{
		Name:     "success-is-not-forgotten",
		Mistake:  "The request left the queue, so there is nothing to forget; and after a month of a failure here and there each retry takes a quarter of an hour.",
		File:     controllerFile,
		Edits:    conform.Swap("\tdefault:\n\t\tc.queue.Forget(request)\n\t}", "\t}"),
		KilledBy: "success-forgets",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "errors-come-back-at-once",
		Mistake:  "What failed is simply added again.",
		File:     controllerFile,
		Edits:    conform.Swap("kit.AddOpts{RateLimited: true, Priority: &priority}, request)\n\t}\n\tif", "kit.AddOpts{Priority: &priority}, request)\n\t}\n\tif"),
		KilledBy: "success-forgets",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "forgets-on-every-way-out",
		Mistake:  "Forget belongs to Done, so both are deferred together; and every failure is the first.",
		File:     controllerFile,
		Edits:    conform.Swap("\tdefer c.queue.Done(request)\n", "\tdefer c.queue.Done(request)\n\tdefer c.queue.Forget(request)\n"),
		KilledBy: "errors-are-rate-limited",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "result-beside-an-error",
		Mistake:  "The Reconciler says when it wants to be called again, so that goes before the error.",
		File:     controllerFile,
		Edits:    conform.Swap("if err != nil {\n\t\tc.failed(", "if err != nil && result.RequeueAfter == 0 {\n\t\tc.failed("),
		KilledBy: "errors-are-rate-limited",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "requeue-after-never-forgets",
		Mistake:  "RequeueAfter adds the request again, so it is not finished, so nothing is forgotten. controller-runtime#392.",
		File:     controllerFile,
		Edits:    conform.Swap("\t\tc.queue.Forget(request)\n\t\tc.queue.AddWithOpts(kit.AddOpts{After", "\t\tc.queue.AddWithOpts(kit.AddOpts{After"),
		KilledBy: "requeue-after-is-not-limited",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "requeue-after-is-limited",
		Mistake:  "The queue has a rate limiter for a reason, so RequeueAfter goes through it, too.",
		File:     controllerFile,
		Edits:    conform.Swap("kit.AddOpts{After: result.RequeueAfter, Priority", "kit.AddOpts{After: result.RequeueAfter, RateLimited: true, Priority"),
		KilledBy: "requeue-after-is-not-limited",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "terminal-is-retried",
		Mistake:  "An error is an error.",
		File:     controllerFile,
		Edits:    conform.Swap("if !kit.IsTerminal(err) {", "if err != nil {"),
		KilledBy: "terminal-error-is-final",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "terminal-is-forgotten",
		Mistake:  "A request that is not tried again is as good as one that succeeded.",
		File:     controllerFile,
		Edits:    conform.Swap("Priority: &priority}, request)\n\t}\n\tif", "Priority: &priority}, request)\n\t} else {\n\t\tc.queue.Forget(request)\n\t}\n\tif"),
		KilledBy: "terminal-error-is-final",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "requeue-forgets",
		Mistake:  "There was no error, so there was no failure, so it is forgotten; and Requeue is a busy loop.",
		File:     controllerFile,
		Edits:    conform.Swap("\tcase result.Requeue:\n", "\tcase result.Requeue:\n\t\tc.queue.Forget(request)\n"),
		KilledBy: "requeue-counts-as-failure",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "requeue-goes-first",
		Mistake: "Both are set: the simpler of the two is looked at first.",
		File:    controllerFile,
		Edits: conform.Swap("case result.RequeueAfter > 0:",
			"case result.RequeueAfter > 0 && !result.Requeue:"),
		KilledBy: "requeue-counts-as-failure",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "done-before-forget",
		Mistake:  "The reconcile has ended, so Done is called at once, and the rest can come later.",
		File:     controllerFile,
		Edits:    []conform.Edit{{Old: "\tdefer c.queue.Done(request)\n", New: ""}, {Old: "\tif err != nil {\n\t\tc.failed(", New: "\tc.queue.Done(request)\n\tif err != nil {\n\t\tc.failed("}},
		KilledBy: "done-comes-last",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "priority-lost-on-requeue",
		Mistake:  "What is added again is added as everything else is. controller-runtime#3157.",
		File:     controllerFile,
		Edits:    conform.Swap("request, priority, shutdown := c.queue.GetWithPriority()", "request, shutdown := c.queue.Get()\n\tpriority := 0"),
		KilledBy: "priority-is-kept",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "result-priority-ignored",
		Mistake:  "The priority is a matter between handlers and queue, and a Result has no say in it.",
		File:     controllerFile,
		Edits:    conform.Swap("\t\tpriority = *result.Priority\n", "\t\tpriority += 0\n"),
		KilledBy: "priority-is-kept",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "terminal-errors-are-silent",
		Mistake:  "OnError reports what will be retried; a terminal error is the end of it.",
		File:     controllerFile,
		Edits:    conform.Swap("if c.options.OnError != nil {", "if c.options.OnError != nil && !kit.IsTerminal(err) {"),
		KilledBy: "errors-are-told",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "on-error-is-needed",
		Mistake:  "Everybody sets OnError.",
		File:     controllerFile,
		Edits:    conform.Swap("\tif c.options.OnError != nil {\n\t\tc.options.OnError(request, err)\n\t}", "\tc.options.OnError(request, err)"),
		KilledBy: "errors-are-told",
		Verdict:  verdict.Panic,
	},
}

// workerFaults are mistakes about workers and reconciles, and how they end.
var workerFaults = []conform.Fault{
	{
		Name:     "one-worker",
		Mistake:  "One loop that gets and reconciles; the option is read by nobody.",
		File:     controllerFile,
		Edits:    conform.Swap("for range c.options.MaxConcurrentReconciles {", "for range 1 {"),
		KilledBy: "as-many-at-once-as-allowed",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "zero-is-zero",
		Mistake:  "People who want one worker set the option to one.",
		File:     controllerFile,
		Edits:    conform.Swap("max(options.MaxConcurrentReconciles, 1)", "max(options.MaxConcurrentReconciles, 0)"),
		KilledBy: "as-many-at-once-as-allowed",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "a-goroutine-for-each-request",
		Mistake: "Goroutines are cheap, so nobody has to wait. What they call is not cheap.",
		File:    controllerFile,
		Edits: []conform.Edit{
			{Old: "\tdefer c.queue.Done(request)\n\tresult, err", New: "\tgo c.handle(ctx, request, priority)\n\treturn true\n}\n\nfunc (c *Controller) handle(ctx context.Context, request kit.Request, priority int) {\n\tdefer c.queue.Done(request)\n\tresult, err"},
			{Old: "c.settle(request, priority, result)\n\t}\n\treturn true", New: "c.settle(request, priority, result)\n\t}"},
		},
		KilledBy: "as-many-at-once-as-allowed",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "done-at-once",
		Mistake:  "Done says that the request was taken. So it is said at once, and a second worker may take it.",
		File:     controllerFile,
		Edits:    conform.Swap("\tdefer c.queue.Done(request)\n", "\tc.queue.Done(request)\n"),
		KilledBy: "never-one-key-twice-at-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "done-only-after-success",
		Mistake:  "A request that failed is not done. So the queue keeps it back for ever.",
		File:     controllerFile,
		Edits:    []conform.Edit{{Old: "\tdefer c.queue.Done(request)\n", New: ""}, {Old: "\t\tc.settle(request, priority, result)\n", New: "\t\tc.settle(request, priority, result)\n\t\tc.queue.Done(request)\n"}},
		KilledBy: "errors-are-rate-limited",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "panics-go-on",
		Mistake:  "RecoverPanic has to be set; who does not set it, does not want it.",
		File:     controllerFile,
		Edits:    conform.Swap("if c.options.RecoverPanic == nil || *c.options.RecoverPanic {", "if c.options.RecoverPanic != nil && *c.options.RecoverPanic {"),
		KilledBy: "panic-becomes-an-error",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "panics-never-go-on",
		Mistake:  "Nobody can want a panic to end the process, whatever the option says.",
		File:     controllerFile,
		Edits:    conform.Swap("if c.options.RecoverPanic == nil || *c.options.RecoverPanic {", "if c.options.RecoverPanic == nil || c.options.RecoverPanic != nil {"),
		KilledBy: "panic-becomes-an-error",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "panic-takes-the-worker",
		Mistake: "The panic is recovered where the goroutine begins. So the process lives, with a worker less, and a request that is never done.",
		File:    controllerFile,
		Edits: []conform.Edit{
			{Old: "\tif c.options.RecoverPanic == nil || *c.options.RecoverPanic {\n\t\tdefer func() {\n\t\t\tif p := recover(); p != nil {\n\t\t\t\tresult, err = kit.Result{}, fmt.Errorf(\"panic: %v [recovered]\", p)\n\t\t\t}\n\t\t}()\n\t}\n", New: ""},
			{Old: "\t\tworkers.Go(func() {\n", New: "\t\tworkers.Go(func() {\n\t\t\tdefer func() { _ = recover() }()\n"},
		},
		KilledBy: "panic-becomes-an-error",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "panic-is-swallowed",
		Mistake:  "recover is called, and the named result is left as it was: nil. So the panic was a success.",
		File:     controllerFile,
		Edits:    conform.Swap("result, err = kit.Result{}, fmt.Errorf(\"panic: %v [recovered]\", p)", "_ = p"),
		KilledBy: "panic-becomes-an-error",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-reconcile-timeout",
		Mistake:  "ctx has a deadline anyway, some day.",
		File:     controllerFile,
		Edits:    conform.Swap("if c.options.ReconciliationTimeout > 0 {", "if c.options.ReconciliationTimeout < 0 {"),
		KilledBy: "reconcile-timeout",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "zero-is-a-timeout",
		Mistake:  "context.WithTimeout is called in any case, and with 0 each ctx is done before it is used.",
		File:     controllerFile,
		Edits:    conform.Swap("if c.options.ReconciliationTimeout > 0 {", "if c.options.ReconciliationTimeout >= 0 {"),
		KilledBy: "reconcile-timeout",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "timeout-abandons-the-reconcile",
		Mistake: "A reconcile that does not end in time is left to itself, so that its worker can go on. It goes on as well, beside the next one for its request.",
		File:    controllerFile,
		Edits: conform.Swap("\treturn c.options.Reconciler.Reconcile(ctx, request)\n", "\tdone := make(chan error, 1)\n\tgo func() {\n\t\tr, e := c.options.Reconciler.Reconcile(ctx, request)\n\t\tif ctx.Err() == nil {\n\t\t\tresult = r\n\t\t}\n\t\tdone <- e\n\t}()\n"+
			"\tselect {\n\tcase err = <-done:\n\t\treturn result, err\n\tcase <-ctx.Done():\n\t\treturn kit.Result{}, ctx.Err()\n\t}\n"),
		KilledBy: "reconcile-timeout",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "reconciles-with-a-background",
		Mistake:  "A reconcile should not be cut off, so it gets a ctx that nobody cancels; and it waits for a cloud when it should stop.",
		File:     controllerFile,
		Edits:    conform.Swap("result, err := c.Reconcile(ctx, request)", "result, err := c.Reconcile(context.WithoutCancel(ctx), request)"),
		KilledBy: "stop-lets-reconciles-finish",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "start-does-not-wait",
		Mistake:  "ctx is done, so it is over.",
		File:     controllerFile,
		Edits:    conform.Swap("\tworkers.Wait()\n", ""),
		KilledBy: "stop-lets-reconciles-finish",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "start-returns-at-once",
		Mistake:  "Start starts, as its name says, and the caller can wait for ctx.",
		File:     controllerFile,
		Edits:    conform.Swap("\t<-ctx.Done()\n\tc.queue.ShutDown()\n\tworkers.Wait()\n\treturn nil", "\tgo func() {\n\t\t<-ctx.Done()\n\t\tc.queue.ShutDown()\n\t}()\n\treturn nil"),
		KilledBy: "stop-lets-reconciles-finish",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "queue-is-left-open",
		Mistake:  "The workers look at ctx in each round. But they wait in Get, and Get does not know any ctx.",
		File:     controllerFile,
		Edits:    []conform.Edit{{Old: "\t<-ctx.Done()\n\tc.queue.ShutDown()\n", New: "\t<-ctx.Done()\n"}, {Old: "for c.next(ctx) {", New: "for ctx.Err() == nil && c.next(ctx) {"}},
		KilledBy: "stop-when-idle",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "queue-is-shut-down-twice",
		Mistake:  "It does no harm to be sure. With controller-runtime's priority queue it is a panic.",
		File:     controllerFile,
		Edits:    conform.Swap("\tworkers.Wait()\n", "\tworkers.Wait()\n\tc.queue.ShutDown()\n"),
		KilledBy: "stop-when-idle",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "results-in-the-controller",
		Mistake: "The last result is kept for the metrics, in a field that all workers write.",
		File:    controllerFile,
		Edits: []conform.Edit{
			{Old: "\tsources []Source   // those", New: "\tlast    kit.Result\n\tsources []Source   // those"},
			{Old: "\tresult, err := c.Reconcile(ctx, request)\n", New: "\tresult, err := c.Reconcile(ctx, request)\n\tc.last = result\n"},
		},
		KilledBy: "storm",
		Verdict:  verdict.DataRace,
	},
}
