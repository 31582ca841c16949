package upstream

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// Exception is a case that upstream deliberately does not pass.
type Exception struct {
	Lab    string // directory of the lab
	Case   string // name of the case
	Theirs string // what stood in for the solution
	Reason string // what upstream does instead, and why the lab asks for more
	Link   string // where upstream says or shows so
}

// Exceptions are all cases that are not put to upstream. docs/upstream.md shows
// them; its table is written from here.
var Exceptions = []Exception{
	{
		Lab:    "07-store",
		Case:   "retry-heeds-its-context",
		Theirs: "client-go `retry.OnError`",
		Reason: "It takes no context, so nothing can end its waits. Variants with one were proposed more than once and not merged. " +
			"The lab's has a context because a controller that has to stop must not sit out its back-off first. " +
			"And a function that fails with the error of a context of its own is taken for a wait that was interrupted: the conflict before it is returned.",
		Link: "https://github.com/kubernetes/kubernetes/pull/124585",
	},
	{
		Lab:    "07-store",
		Case:   "retry-tries-at-least-once",
		Theirs: "client-go `retry.OnError`",
		Reason: "With a backoff of no steps it never calls the function, and returns nil. " +
			"The lab's calls it once, for nil has to mean that the write was done. " +
			"And when a wait grows beyond its Cap, which ends the tries, it still sleeps before it returns.",
		Link: "https://github.com/kubernetes/client-go/blob/v0.37.2/util/retry/util.go",
	},
	{
		Lab:    "11-delaying-queue",
		Case:   "late-and-still-once",
		Theirs: "client-go `workqueue.NewTypedDelayingQueueWithConfig`",
		Reason: "An item that is due already when its loop receives it is added directly, and an older entry for it stays: it comes twice. " +
			"The lab's contract has no such corner: an item waits once.",
		Link: "https://github.com/kubernetes/client-go/blob/v0.37.2/util/workqueue/delaying_queue.go",
	},
	{
		Lab:    "12-rate-limiting-queue",
		Case:   "exponential-to-the-last-bit",
		Theirs: "client-go `workqueue.NewTypedItemExponentialFailureRateLimiter`",
		Reason: "It computes with floats: a base that a float64 cannot hold is rounded, and exactly 2⁶³ ns passes its test for overflow and comes out " +
			"negative on some processors. The lab's waits are exact.",
		Link: "https://github.com/kubernetes/client-go/blob/v0.37.2/util/workqueue/default_rate_limiters.go",
	},
	{
		Lab:    "15-indexer",
		Case:   "failing-index-func-changes-nothing",
		Theirs: "client-go `cache.NewIndexer`",
		Reason: "It panics where an index function returns an error, with the object stored already and in a part of the indices. " +
			"The lab returns an error and changes nothing, for a function whose errors end the process had better not return any.",
		Link: "https://github.com/kubernetes/kubernetes/pull/50555",
	},
	{
		Lab:    "16-reflector",
		Case:   "errors-are-told",
		Theirs: "client-go `cache.Reflector`",
		Reason: "Its error handler is a private field that only an informer sets, and that hears nothing of a granted watch that failed: " +
			"ListAndWatch writes a log and returns nil then. The lab's reflector stands alone, and has to tell somebody.",
		Link: "https://github.com/kubernetes/client-go/issues/1256",
	},
	{
		Lab:    "17-informer",
		Case:   "remove-in-the-pause",
		Theirs: "client-go `cache.NewSharedIndexInformer`",
		Reason: "After a handler's panic it sleeps for its second whatever happens, and the removal of that handler and the end of Run wait for it. " +
			"In the lab a second that nobody needs any more ends.",
		Link: "https://github.com/kubernetes/kubernetes/pull/58394",
	},
	{
		Lab:    "17-informer",
		Case:   "stops-in-order",
		Theirs: "client-go `cache.NewSharedIndexInformer`",
		Reason: "It makes its reflector itself, so the one of the suite that takes its time to end is never called. " +
			"A handler that adds or removes one while Run waits for it waits for ever, too: `sharedProcessor.run` holds its lock meanwhile. " +
			"That Run waits for all it has started is asked by `run-joins-everything`, which upstream passes.",
		Link: "https://github.com/kubernetes/client-go/blob/v0.37.2/tools/cache/controller.go",
	},
	{
		Lab:    "17-informer",
		Case:   "the-indexer-may-refuse",
		Theirs: "client-go `cache.NewSharedIndexInformer`",
		Reason: "It makes its cache and its queue itself, so the cache of the suite, which refuses some objects, is never asked. " +
			"Its code does what the case asks for: `processDeltas` returns the cache's error before a handler is called.",
		Link: "https://github.com/kubernetes/client-go/blob/v0.37.2/tools/cache/controller.go",
	},
	{
		Lab:    "17-informer",
		Case:   "gives-memory-back",
		Theirs: "client-go `cache.NewSharedIndexInformer`",
		Reason: "A handler's buffer is a ring that grows and never shrinks: after a burst it keeps its size for ever. " +
			"It does let go of the objects it has handed out.",
		Link: "https://github.com/kubernetes/utils/pull/321",
	},
	{
		Lab:    "19-reconciler",
		Case:   "waits-when-all-have-started",
		Theirs: "controller-runtime `controller.NewUnmanaged`",
		Reason: "Each source has a goroutine, which calls Start and then WaitForSync, however far the others are. " +
			"The lab's starts all first, so that a source may rely on what another one sets up in its Start.",
		Link: "https://github.com/kubernetes-sigs/controller-runtime/blob/v0.25.2/pkg/internal/controller/controller.go",
	},
	{
		Lab:    "19-reconciler",
		Case:   "a-failed-start-ends-its-sources",
		Theirs: "controller-runtime `controller.NewUnmanaged`",
		Reason: "Its sources get the ctx of Start itself, which is not done when Start fails: a manager ends then, and its process with it. " +
			"The lab's controller may be started by a process that lives on.",
		Link: "https://github.com/kubernetes-sigs/controller-runtime/blob/v0.25.2/pkg/internal/controller/controller.go",
	},
	{
		Lab:    "23-operator",
		Case:   "conditions-keep-their-time",
		Theirs: "apimachinery `meta.SetStatusCondition`",
		Reason: "It writes to the elements of the slice that it is given, which may be those of an object in a cache. " +
			"The lab's caches hand out what they hold, so its SetCondition copies first. A client of controller-runtime hands out copies.",
		Link: "https://github.com/kubernetes/apimachinery/blob/v0.37.2/pkg/api/meta/conditions.go",
	},
}

// Split parts the cases of a lab into those that upstream is held to and those
// that it is excepted from. An exception without its case is an error: it was
// left behind when the case was renamed.
func Split[S any](lab string, cases []conform.Case[S]) (held, excepted []conform.Case[S], err error) {
	names := map[string]bool{}
	for _, e := range Exceptions {
		if e.Lab == lab {
			names[e.Case] = true
		}
	}
	for _, c := range cases {
		if names[c.Name] {
			excepted = append(excepted, c)
			delete(names, c.Name)
		} else {
			held = append(held, c)
		}
	}
	for name := range names {
		return nil, nil, fmt.Errorf("there is an exception for case %s of lab %s, and no such case", name, lab)
	}
	return held, excepted, nil
}

// Table is the list of exceptions as docs/upstream.md shows it.
func Table() string {
	var b strings.Builder
	b.WriteString("| lab | case | put to it | what upstream does instead |\n|---|---|---|---|\n")
	for _, e := range Exceptions {
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s [Source](%s) |\n", e.Lab, e.Case, e.Theirs, e.Reason, e.Link)
	}
	return b.String()
}
