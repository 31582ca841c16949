package watchtest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	source  = "watchable.go"
	sending = "watcher.go"
)

var faults = append([]conform.Fault{
	{
		Name:     "repeats-the-last",
		Mistake:  "The replay begins at the version asked for, which the caller has seen already.",
		File:     source,
		Edits:    conform.Swap("return r.at(begin+uint64(i)).version > version", "return r.at(begin+uint64(i)).version >= version"),
		KilledBy: "replays-then-follows",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "versions-taken-for-places",
		Mistake: "Versions are taken to be consecutive, so the place of a change is computed from its version: with one counter for all types they are not.",
		File:    source,
		Edits: []conform.Edit{
			{Old: "\treturn begin + uint64(sort.Search(len(r.ring), func(i int) bool {\n\t\treturn r.at(begin+uint64(i)).version > version\n\t}))", New: "\t_ = sort.Search\n\treturn min(begin+version-r.forgotten, r.end)"},
		},
		KilledBy: "replays-then-follows",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "deleted-stays",
		Mistake:  "A deletion is put into the history and not into the state: new watchers are shown objects that are gone.",
		File:     source,
		Edits:    conform.Swap("\t\tdelete(w.objects, key)\n", "\t\tw.objects[key] = event.Object\n"),
		KilledBy: "starts-with-what-there-is",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "state-from-the-history",
		Mistake:  "The initial state is put together from the history: what has not changed for a while is not in it.",
		File:     source,
		Edits:    conform.Swap("\tfor _, obj := range w.objects {\n", "\tfor key, obj := range w.objects {\n\t\tif !slices.ContainsFunc(w.window.ring, func(c change[T]) bool { return kit.Key(c.event.Object) == key }) {\n\t\t\tcontinue\n\t\t}\n"),
		KilledBy: "starts-with-what-there-is",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "begins-with-what-is-left",
		Mistake:  "A version that is too old is served from the oldest change that is left: the gap before it is never mentioned.",
		File:     source,
		Edits:    conform.Swap("case version < w.window.forgotten:", "case version < w.window.forgotten && len(w.window.ring) == 0:"),
		KilledBy: "too-old-is-expired",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "expired-one-too-early",
		Mistake:  "The version of the newest forgotten change is refused too, although everything above it is there.",
		File:     source,
		Edits:    conform.Swap("case version < w.window.forgotten:", "case version <= w.window.forgotten && w.window.end > w.window.size:"),
		KilledBy: "too-old-is-expired",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "waits-for-the-future",
		Mistake:  "A watch from a version ahead just waits for it to come; after a restore from backup that may be never.",
		File:     source,
		Edits:    conform.Swap("\tcase version > w.version:\n\t\treturn tooLarge(version, w.version)\n", ""),
		KilledBy: "ahead-is-too-large",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "version-of-the-newest-item",
		Mistake:  "A list carries the version of its newest object: in a quiet namespace that is one from long ago.",
		File:     source,
		Edits:    conform.Swap("\tfor i, obj := range items {\n\t\titems[i] =", "\tversion = firstVersion\n\tfor i, obj := range items {\n\t\tn, _ := parse(obj.GetResourceVersion())\n\t\tversion = max(version, n)\n\t\titems[i] ="),
		KilledBy: "list-meets-watch",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "stop-closes-twice",
		Mistake: "Stop closes a channel, and the second Stop closes it again.",
		File:    sending,
		Edits: []conform.Edit{
			{Old: "func (x *watcher[T]) Stop() { x.cancel() }", New: "func (x *watcher[T]) Stop() {\n\tclose(x.stopped)\n\tx.cancel()\n}"},
			{Old: "\twake    chan struct{} //", New: "\tstopped chan struct{}\n\twake    chan struct{} //"},
			{Old: "\t\twake:    make(chan struct{}, 1),\n", New: "\t\twake:    make(chan struct{}, 1),\n\t\tstopped: make(chan struct{}),\n"},
		},
		KilledBy: "stop-closes-the-channel",
		Verdict:  verdict.Panic,
	},
	{
		Name:    "stop-closes-the-result",
		Mistake: "Stop closes the ResultChan itself, while the watcher's goroutine is sending to it (kubernetes#108080).",
		File:    sending,
		Edits: []conform.Edit{
			{Old: "func (x *watcher[T]) Stop() { x.cancel() }", New: "func (x *watcher[T]) Stop() {\n\tx.once.Do(func() { close(x.result) })\n\tx.cancel()\n}"},
			{Old: "\twake    chan struct{} //", New: "\tonce    sync.Once\n\twake    chan struct{} //"},
			{Old: "\t\"context\"\n", New: "\t\"context\"\n\t\"sync\"\n"},
			{Old: "\tdefer close(x.result)\n", New: "\tdefer x.once.Do(func() { close(x.result) })\n"},
		},
		KilledBy: "stop-closes-the-channel",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "deaf-while-sending",
		Mistake:  "The sender waits for its reader and for nothing else: after Stop it waits for ever (kubernetes#38670).",
		File:     sending,
		Edits:    conform.Swap("\tselect {\n\tcase x.result <- event:\n\t\treturn true\n\tcase <-x.ctx.Done():\n\t\treturn false\n\t}", "\tx.result <- event\n\treturn x.ctx.Err() == nil"),
		KilledBy: "context-ends-the-watch",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:     "never-closed",
		Mistake:  "The goroutine ends, and the ResultChan stays open: its reader waits for an end that never comes.",
		File:     sending,
		Edits:    conform.Swap("\tdefer close(x.result)\n", ""),
		KilledBy: "stop-closes-the-channel",
		Verdict:  verdict.Deadlock,
	},
}, append(streamFaults, endFaults...)...)

var streamFaults = []conform.Fault{
	{
		Name:     "no-end-of-nothing",
		Mistake:  "The end of the initial events is sent with the last of them; if there is none it never comes (kubernetes#140890).",
		File:     sending,
		Edits:    conform.Swap("\tx.initial = nil\n\tif !x.options.SendInitialEvents {", "\tempty := len(x.initial) == 0\n\tx.initial = nil\n\tif empty || !x.options.SendInitialEvents {"),
		KilledBy: "watch-list",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "end-without-a-mark",
		Mistake:  "The end is a bookmark like any other: the reader cannot tell that it has seen everything.",
		File:     sending,
		Edits:    conform.Swap("\tend.Object.SetAnnotations(map[string]string{kit.InitialEventsEnd: \"true\"})\n", ""),
		KilledBy: "watch-list",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "watch-list-may-expire",
		Mistake:  "A watch list is held to the window like any watch, though it asks for what there is and not for what has happened.",
		File:     source,
		Edits:    conform.Swap("case version == 0 || x.options.SendInitialEvents:", "case x.options.SendInitialEvents && version != 0 && version < w.window.forgotten:\n\t\treturn kit.NewResourceExpired(\"too old resource version: %d\", version)\n\tcase version == 0 || x.options.SendInitialEvents:"),
		KilledBy: "watch-list",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "all-namespaces-live",
		Mistake:  "The namespace is asked of the objects that there are, and not of the changes that follow.",
		File:     sending,
		Edits:    conform.Swap("if x.options.Namespace == \"\" || x.options.Namespace == event.Object.GetNamespace() {", "if x.options.Namespace == \"\" || event.Object.GetNamespace() != \"\" {"),
		KilledBy: "namespaces-apart",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "passed-over-is-behind",
		Mistake: "Only what is sent moves the watcher on: in a busy cluster the watcher of a quiet namespace is soon taken for a slow one.",
		File:    sending,
		Edits: []conform.Edit{
			{Old: "\t\t\tif !x.send(event) {\n\t\t\t\treturn false\n\t\t\t}\n\t\t}\n\t\tx.position.Add(1)\n", New: "\t\t\tif !x.send(event) {\n\t\t\t\treturn false\n\t\t\t}\n\t\t\tx.sent.Add(1)\n\t\t}\n\t\tx.position.Add(1)\n"},
			{Old: "\tposition atomic.Uint64 //", New: "\tsent     atomic.Uint64\n\tposition atomic.Uint64 //"},
			{Old: "if end-x.position.Load() > x.source.window.size {", New: "if end-x.sent.Load() > x.source.window.size {"},
		},
		KilledBy: "namespaces-apart",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "bookmarks-for-all",
		Mistake:  "Everybody gets bookmarks: a client that has not asked takes them for changes of an object without a name.",
		File:     sending,
		Edits:    conform.Swap("if x.options.AllowWatchBookmarks {", "if x.source.options.BookmarkEvery > 0 {"),
		KilledBy: "bookmarks-carry-progress",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "bookmarks-stand-still",
		Mistake:  "A bookmark carries the version of the last change that was sent: where nothing is sent, nothing moves.",
		File:     sending,
		Edits:    conform.Swap("\t\t\tif !x.send(x.bookmark(version)) {", "\t\t\t_ = version\n\t\t\tif !x.send(x.bookmark(x.begin + 1)) {"),
		KilledBy: "bookmarks-carry-progress",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "bookmark-of-the-store",
		Mistake:  "A bookmark carries the version of the store: it promises a slow reader changes that are still on their way.",
		File:     sending,
		Edits:    conform.Swap("\t\t\tif !x.send(x.bookmark(version)) {", "\t\t\tx.source.mu.RLock()\n\t\t\tversion = x.source.version\n\t\t\tx.source.mu.RUnlock()\n\t\t\tif !x.send(x.bookmark(version)) {"),
		KilledBy: "bookmarks-never-run-ahead",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "begins-when-it-runs",
		Mistake: "The position is taken by the watcher's goroutine when it first runs: what is committed until then is lost.",
		File:    sending,
		Edits: []conform.Edit{
			{Old: "\tdefer x.cancel()\n\tif x.sendInitial() {", New: "\tdefer x.cancel()\n\tif x.begin > 0 {\n\t\tx.source.mu.RLock()\n\t\tx.position.Store(x.source.window.end)\n\t\tx.source.mu.RUnlock()\n\t}\n\tif x.sendInitial() {"},
		},
		KilledBy: "begins-at-the-call",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "two-looks",
		Mistake: "A watch begins with what List returns, and then goes on from where the history ends: what is committed in between is in neither.",
		File:    source,
		Edits: []conform.Edit{
			{Old: "\t\tx.begin, x.initial = w.version, w.snapshot(x.options.Namespace)\n", New: "\t\tw.mu.Unlock()\n\t\tlist, _ := w.List(x.ctx, kit.ListOptions{Namespace: x.options.Namespace})\n\t\tw.mu.Lock()\n\t\tx.begin, _ = parse(list.ResourceVersion)\n\t\tx.initial = list.Items\n"},
		},
		KilledBy: "no-gap-while-writers-write",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "signal-without-memory",
		Mistake:  "Wake-ups go through an unbuffered channel: one that comes before the watcher sleeps is thrown away.",
		File:     sending,
		Edits:    conform.Swap("wake:    make(chan struct{}, 1),", "wake:    make(chan struct{}),"),
		KilledBy: "no-wake-up-is-lost",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "one-object-for-all",
		Mistake:  "All watchers get the same object: a write to it is a write to everybody's.",
		File:     sending,
		Edits:    conform.Swap("\t\t\tevent.Object = x.source.typ.DeepCopy(event.Object)\n", ""),
		KilledBy: "watchers-share-nothing",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "list-hands-out-its-own",
		Mistake:  "List returns the objects that the watches are made from.",
		File:     source,
		Edits:    conform.Swap("\tfor i, obj := range items {\n\t\titems[i] = w.typ.DeepCopy(obj)\n\t}\n", ""),
		KilledBy: "watchers-share-nothing",
		Verdict:  verdict.DataRace,
	},
}

var endFaults = []conform.Fault{
	{
		Name:     "callers-context-forgotten",
		Mistake:  "The watch has a context of its own, which the caller's does not end: only Stop does, and a client that is gone calls nothing.",
		File:     sending,
		Edits:    conform.Swap("x.ctx, x.cancel = context.WithCancel(ctx)", "x.ctx, x.cancel = context.WithCancel(context.WithoutCancel(ctx))"),
		KilledBy: "context-ends-the-watch",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "timeout-says-error",
		Mistake:  "The end of the time is reported as an Error: reflectors take it for a failure and list again.",
		File:     sending,
		Edits:    conform.Swap("\tif x.sendInitial() {\n\t\tx.follow()\n\t}", "\tif x.sendInitial() {\n\t\tx.follow()\n\t}\n\tif x.ctx.Err() == context.DeadlineExceeded {\n\t\tx.result <- kit.Event[T]{Type: kit.Error, Status: &kit.Status{Reason: kit.ReasonTimeout}}\n\t}"),
		KilledBy: "timeout-ends-cleanly",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "timeout-while-idle-only",
		Mistake: "The timer is looked at between two events only: a watcher whose reader has gone outlives it.",
		File:    sending,
		Edits: []conform.Edit{
			{Old: "x.ctx, x.cancel = context.WithTimeout(ctx, time.Duration(options.TimeoutSeconds)*time.Second)", New: "x.ctx, x.cancel = context.WithCancel(ctx)\n\t\tx.timeout = time.After(time.Duration(options.TimeoutSeconds) * time.Second)"},
			{Old: "\twake    chan struct{} //", New: "\ttimeout <-chan time.Time\n\twake    chan struct{} //"},
			{Old: "\t\tcase <-x.wake:\n", New: "\t\tcase <-x.wake:\n\t\tcase <-x.timeout:\n\t\t\treturn\n"},
		},
		KilledBy: "timeout-ends-cleanly",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:    "writer-waits",
		Mistake: "Commit waits until the watcher has taken the wake-up, so that none is lost: a watcher whose reader is slow delays all writers.",
		File:    sending,
		Edits: []conform.Edit{
			{Old: "\tx.token()\n}\n\nfunc (x *watcher[T]) run", New: "\tselect {\n\tcase x.wake <- struct{}{}:\n\tcase <-x.ctx.Done():\n\t}\n}\n\nfunc (x *watcher[T]) run"},
		},
		KilledBy: "one-window-behind-is-fine",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:    "skips-what-it-missed",
		Mistake: "A watcher that has fallen behind goes on with the oldest change that is left, and hides the gap.",
		File:    source,
		Edits: []conform.Edit{
			{Old: "\tif position < w.window.begin() {\n\t\treturn nil, 0, false, false\n\t}\n", New: "\tposition = max(position, w.window.begin())\n"},
			{Old: "\t\tx.changed(w.window.end)\n", New: "\t\tx.token()\n"},
		},
		KilledBy: "slow-watcher-is-cut-off",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "finds-out-too-late",
		Mistake:  "The watcher itself finds out that it is too slow, when its reader comes back; one whose reader never does stays for ever.",
		File:     sending,
		Edits:    conform.Swap("\tif end-x.position.Load() > x.source.window.size {\n\t\tx.cancel()\n\t\treturn\n\t}\n", "\t_ = end\n"),
		KilledBy: "slow-watcher-is-cut-off",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:     "half-a-window",
		Mistake:  "A watcher is cut off at half a window, to be on the safe side.",
		File:     sending,
		Edits:    conform.Swap("if end-x.position.Load() > x.source.window.size {", "if end-x.position.Load() > x.source.window.size/2 && end > 0 {"),
		KilledBy: "one-window-behind-is-fine",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "history-for-ever",
		Mistake: "The whole history is kept as well, and only ever appended to: the window says from where it may be watched, not what is held.",
		File:    source,
		Edits: []conform.Edit{
			{Old: "\tw.window.add(change[T]{version, event})\n", New: "\tw.window.add(change[T]{version, event})\n\tw.all = append(w.all, event)\n"},
			{Old: "\twindow   window[T]\n", New: "\twindow   window[T]\n\tall      []kit.Event[T]\n"},
		},
		KilledBy: "history-is-bounded",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "never-forgotten",
		Mistake:  "A watcher that has ended stays registered: every write goes on looking at all that there ever were (kubernetes#6627).",
		File:     source,
		Edits:    conform.Swap("\tdelete(w.watchers, x)\n", ""),
		KilledBy: "ended-watches-are-forgotten",
		Verdict:  verdict.WrongAnswer,
	},
}
