package reflectortest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

var faults = slices.Concat(faultsOfLists, faultsOfWatches)

// The solution's files.
const (
	inReflector = "reflector.go"
	inWatch     = "watch.go"
	inBackoff   = "backoff.go"
)

var faultsOfLists = []conform.Fault{
	{
		Name:     "first-list-is-exact",
		Mistake:  "The first list asks for the newest state, as if reading etcd for every client that starts cost nothing.",
		File:     inReflector,
		Edits:    conform.Swap("return \"0\"", "return \"\""),
		KilledBy: "list-then-watch",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "list-goes-back-in-time",
		Mistake:  "Every list asks for version 0: a server whose cache is behind brings back what is long gone (kubernetes#83520).",
		File:     inReflector,
		Edits:    conform.Swap("\tif last := r.LastSyncResourceVersion(); last != \"\" {\n\t\treturn last\n\t}\n", ""),
		KilledBy: "lists-again-when-expired",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "stampede",
		Mistake: "After a 410 there is no wait, since a list is sure to help: all clients whose watch expired together list together (kubernetes#86430).",
		File:    inReflector,
		Edits: []conform.Edit{
			{Old: "\t\tr.backoff.wait(ctx)", New: "\t\tif !kit.IsResourceExpired(err) {\n\t\t\tr.backoff.wait(ctx)\n\t\t}"},
			{Old: "if err := r.ListAndWatch(ctx); err != nil && r", New: "err := r.ListAndWatch(ctx)\n\t\tif err != nil && r"},
		},
		KilledBy: "lists-again-when-expired",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "too-large-for-ever",
		Mistake:  "Only a version that is too old is given up; one that is too new for a restored server is asked for again and again (kubernetes#92537).",
		File:     inReflector,
		Edits:    conform.Swap(" || kit.IsTooLargeResourceVersion(err)", ""),
		KilledBy: "asks-for-the-newest-when-it-must",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "newest-asked-once",
		Mistake:  "That the version is unavailable is known to one call and forgotten when the second try fails.",
		File:     inReflector,
		Edits:    conform.Swap("r.unavailable = true\n\t\tlist, err = r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})", "list, err = r.lw.List(ctx, kit.ListOptions{})"),
		KilledBy: "asks-for-the-newest-when-it-must",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "newest-in-a-loop",
		Mistake:  "While the server says that it does not have the version, the newest is asked for again without a wait, also if it was the newest that was refused.",
		File:     inReflector,
		Edits:    conform.Swap("if kit.IsResourceExpired(err) ||", "for kit.IsResourceExpired(err) ||"),
		KilledBy: "asks-for-the-newest-when-it-must",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "newest-for-ever",
		Mistake:  "Once a version was unavailable every list reads the newest state, also long after.",
		File:     inReflector,
		Edits:    conform.Swap("\tr.unavailable = false\n", ""),
		KilledBy: "asks-for-the-newest-when-it-must",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "newest-after-a-wait",
		Mistake:  "A list whose version is unavailable is a failed list like any other: the next one comes after a wait.",
		File:     inReflector,
		Edits:    conform.Swap("\n\t\tlist, err = r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})", ""),
		KilledBy: "asks-for-the-newest-when-it-must",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "published-too-soon",
		Mistake: "The version is set as soon as the list is there; the store follows in a moment, after all.",
		File:    inReflector,
		Edits: []conform.Edit{
			{Old: "\tif err := r.store.Replace", New: "\tr.publish(list.ResourceVersion)\n\tif err := r.store.Replace"},
			{Old: "\tr.publish(list.ResourceVersion)\n\treturn nil", New: "\treturn nil"},
		},
		KilledBy: "publishes-what-is-stored",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "event-published-too-soon",
		Mistake:  "The version of an event is set before the store has it.",
		File:     inWatch,
		Edits:    conform.Swap("\t\t\tif !r.apply(event) {\n\t\t\t\tcontinue\n\t\t\t}\n\t\t\tinOrder = inOrder || event.Type != kit.Added\n\t\t\tif inOrder {\n\t\t\t\tr.publish(event.Object.GetResourceVersion())\n\t\t\t}\n", "\t\t\tinOrder = inOrder || event.Type != kit.Added\n\t\t\tif inOrder {\n\t\t\t\tr.publish(event.Object.GetResourceVersion())\n\t\t\t}\n\t\t\tr.apply(event)\n"),
		KilledBy: "publishes-what-is-stored",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "version-without-lock",
		Mistake:  "Reading a string is taken for one step.",
		File:     inReflector,
		Edits:    conform.Swap("\tr.mu.RLock()\n\tdefer r.mu.RUnlock()\n", ""),
		KilledBy: "publishes-what-is-stored",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "relist-only-adds",
		Mistake:  "A list after the first is added to what the store has, so what was deleted meanwhile stays for ever.",
		File:     inReflector,
		Edits:    conform.Swap("\tif err := r.store.Replace", "\tif r.LastSyncResourceVersion() != \"\" {\n\t\tfor _, obj := range list.Items {\n\t\t\t_ = r.store.Add(obj)\n\t\t}\n\t} else if err := r.store.Replace"),
		KilledBy: "converges",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "stop-is-a-failure",
		Mistake:  "What a request returns because ctx is done is reported like any other error.",
		File:     inReflector,
		Edits:    conform.Swap("\tif ctx.Err() != nil {\n\t\treturn nil // what failed now failed because we were told to stop\n\t}\n", ""),
		KilledBy: "errors-are-told",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "cause-lost",
		Mistake:  "The error of a list is put into words, with %v, and nobody can find out what it was.",
		File:     inReflector,
		Edits:    conform.Swap("fmt.Errorf(\"list: %w\", err)", "fmt.Errorf(\"list: %v\", err)"),
		KilledBy: "errors-are-told",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "told-after-the-wait",
		Mistake:  "OnError comes after the wait: an operator sees the error half a minute late.",
		File:     inReflector,
		Edits:    conform.Swap("\t\tif err := r.ListAndWatch(ctx); err != nil && r.options.OnError != nil {\n\t\t\tr.options.OnError(err)\n\t\t}\n\t\tr.backoff.wait(ctx)\n", "\t\terr := r.ListAndWatch(ctx)\n\t\tr.backoff.wait(ctx)\n\t\tif err != nil && r.options.OnError != nil {\n\t\t\tr.options.OnError(err)\n\t\t}\n"),
		KilledBy: "errors-are-told",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "list-without-context",
		Mistake:  "The list gets a context of its own, so that it is not interrupted half way.",
		File:     inReflector,
		Edits:    conform.Swap("list, err := r.lw.List(ctx,", "list, err := r.lw.List(context.Background(),"),
		KilledBy: "stops-in-a-request",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "sleeps",
		Mistake:  "The wait is a time.Sleep, which nothing can interrupt (kubernetes#116435).",
		File:     inBackoff,
		Edits:    conform.Swap("\ttimer := time.NewTimer(b.step())\n\tdefer timer.Stop()\n\tselect {\n\tcase <-ctx.Done():\n\tcase <-timer.C:\n\t}\n", "\ttime.Sleep(b.step())\n"),
		KilledBy: "stops-in-a-backoff",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-jitter",
		Mistake:  "The default backoff has no jitter: clients that lost the server together come back together (kubernetes#87794).",
		File:     inReflector,
		Edits:    conform.Swap("Jitter: 1, ", ""),
		KilledBy: "waits-longer-each-time",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "never-longer",
		Mistake:  "A copy of the backoff is stepped, and thrown away.",
		File:     inBackoff,
		Edits:    conform.Swap("wait := b.current.Step()", "again := b.current\n\twait := again.Step()"),
		KilledBy: "waits-longer-each-time",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-cap",
		Mistake:  "Cap is left out: after an hour's outage a client comes back an hour late.",
		File:     inBackoff,
		Edits:    conform.Swap("\treturn backoff{initial: b, current: b}", "\tb.Cap = 0\n\treturn backoff{initial: b, current: b}"),
		KilledBy: "waits-longer-each-time",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "success-starts-over",
		Mistake:  "A list that succeeds starts the waits over, while every watch breaks (kubernetes#118129).",
		File:     inReflector,
		Edits:    conform.Swap("\tr.unavailable = false\n", "\tr.unavailable = false\n\tr.backoff.current = r.backoff.initial\n"),
		KilledBy: "one-backoff-for-all",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "growth-used-up",
		Mistake:  "Only the length of the wait starts over: the Steps that the first outage used up stay used up, and a second outage gets a request every second.",
		File:     inBackoff,
		Edits:    conform.Swap("b.current = b.initial\n", "b.current.Duration = b.initial.Duration\n"),
		KilledBy: "one-backoff-for-all",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "never-starts-over",
		Mistake:  "The waits only ever grow: the first hiccup after a good week costs half a minute.",
		File:     inBackoff,
		Edits:    conform.Swap("> healthy {", "> 1e4*healthy {"),
		KilledBy: "one-backoff-for-all",
		Verdict:  verdict.WrongAnswer,
	},
}
