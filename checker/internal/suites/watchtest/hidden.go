package watchtest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(streams, ends, wakes, slow, concurrent, models)

var streams = []conform.Case[Subject]{
	{
		Name:   "watch-list",
		Points: 5,
		Func:   "Watchable.Watch",
		Rule:   "With SendInitialEvents: an Added for each object there is, whatever the version, then one marked bookmark, even if there is none, then every later change.",
		Why:    "It is how client-go fills its caches today: one request instead of a list and a watch, and without a list of 100 MB in the server's memory.",
		Hint: []string{
			"How does the reader know that it has seen all there is, if there is nothing?",
			"Which version do all the Added events together show? It is not that of the last of them.",
			"A watch list never expires: it asks for the state, not for the history.",
		},
		Source: "KEP-3157; apiserver pkg/storage/cacher/cacher.go: setInitialEventsEndBookmarkIfRequested; kubernetes#140890: a missing end was waited for for ever",
		Contract: []string{
			`With SendInitialEvents (a watch list) the watch begins with the objects as they are, like one from "", whatever version is given, as long as List would accept it.`,
			`After the last of those Added events, even if there is none, comes a Bookmark that has the annotation kit.InitialEventsEnd: "true" and the version that a List at the moment of the call would have; then every change above that version in order.`,
			"What options.ResourceVersion says decides where the watch begins, at the moment of the call",
			"The first may come at any time after the watch has begun, but not at once.",
			"without it that Bookmark may come or be left out.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 4)
			s.watchList(t, "", "")
			for _, name := range []string{"a", "b", "c", "gone"} {
				s.put(t.Actor, "old", name)
			}
			s.delete(t.Actor, "old", "gone")
			s.puts(t.Actor, 30, "new", "x")
			for _, version := range []string{"", "0", "3", strconv.FormatUint(s.version, 10)} {
				for _, ns := range []string{"", "old", "none"} {
					s.watchList(t, ns, version)
				}
			}
			s.putAt(t.Actor, precise+1, "new", "x") // no float64 holds it
			s.watchList(t, "", "")
			o := from(s.version)
			o.SendInitialEvents = true
			bare := s.watch(t, o)
			events, _ := bare.Ready(t)
			events = slices.DeleteFunc(events, func(e kit.Event[*kit.Pod]) bool { return e.Type == kit.Bookmark }) // it may be left out
			listwatch.SameSet(t, s.state(""), listwatch.Texts(events), "A watch with SendInitialEvents, but without AllowWatchBookmarks, did not begin with an Added for each object there was: only the bookmark after them may be left out.")
			bare.Stop()
		},
	},
	{
		Name:   "namespaces-apart",
		Points: 4,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.Commit", "Watchable.List"},
		Rule:   "A watch of a namespace brings its changes and no others, and does not count as slow because of changes in other namespaces.",
		Why:    "Every kubelet watches a small part of a busy cluster. If changes elsewhere cut it off, it would list again and again.",
		Hint: []string{
			"What happens to the watcher's position at a change of another namespace?",
			"A change that is not sent counts as delivered, as soon as the watcher comes to it.",
		},
		Source: "apiserver pkg/storage/cacher/cache_watcher.go: cacheWatcher.convertToWatchEvent (filtered events take no room)",
		Contract: []string{
			"Watch begins a watch of the objects of options.Namespace",
			`List returns the objects of options.Namespace, or of all if that is "", in any order, and the version of that moment: the version of the newest change of all.`,
			"While an event waits for its reader, an initial event or a bookmark included, changes of other namespaces after it may count. When none waits they do not: the watcher passes over them at once, without a timer.",
			"While it is behind by no more than Window it is never cut off.",
			"keeps the newest state of every object",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			start(t, open(), 64).names(t)
			s := start(t, open(), 8)
			s.put(t.Actor, "busy", "x")
			all := []stream{
				s.watch(t, kit.ListOptions{Namespace: "quiet", ResourceVersion: "1"}),
				s.watch(t, kit.ListOptions{Namespace: "quiet"}),
			}
			for range 3 {
				before := s.version
				s.put(t.Actor, "quiet", "a")
				s.puts(t.Actor, 5, "busy", "x")
				s.put(t.Actor, "quiet", "b")
				for _, w := range all {
					w.Expect(t, s.after(before, "quiet"), "A watch of one namespace did not bring the changes of that namespace, and those only.")
				}
				for range 50 { // many windows, of which the watch is to bring nothing
					s.puts(t.Actor, 4, "busy", "x")
					t.Wait()
					for _, w := range all {
						events, closed := w.Ready(t)
						t.Require(!closed, "A watch of namespace quiet was ended as if it were slow. Only pods of namespace busy have changed lately, up to version %d, and no event waited for the reader: then the watcher passes over changes of other namespaces at once.", s.version)
						t.Require(len(events) == 0, "A watch of namespace quiet brought %v, and only pods of namespace busy have changed lately, up to version %d.", listwatch.Texts(events), s.version)
					}
				}
			}
			for _, w := range all {
				w.Stop()
			}
			passedOver(t, open())
		},
	},
	{
		Name:   "bookmarks-carry-progress",
		Points: 5,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "New"},
		Rule:   "A watch that asks for bookmarks gets one about every BookmarkEvery, with nothing but a version, which moves on with the store; any other watch gets none.",
		Why:    "Without them the watcher of a quiet namespace knows only an old version, finds it expired after a cut, and lists everything anew.",
		Hint: []string{
			"Up to which version has a watcher of an empty namespace seen everything?",
			"A ticker in the watcher's goroutine; the version is that up to which it has read, sent or passed over.",
			"The object is a new one from Type.New.",
		},
		Source: "KEP-956; apiserver pkg/storage/cacher/cache_watcher.go: nextBookmarkTime",
		Contract: []string{
			"With AllowWatchBookmarks a reader that keeps up gets a Bookmark about every BookmarkEvery, whether anything changes or not: one at least in any two such periods, and no two within half a period; after one that waited for its reader the next may come sooner. Of those that could not be sent when they were due one or two may come late; the others are not made up for. The first may come at any time after the watch has begun, but not at once.",
			"Its object is one from typ.New with nothing added but a resource version",
			"That version moves on with changes in other namespaces, too. It never falls, nor below that of the Bookmark that ended the initial events. Without AllowWatchBookmarks there are no such bookmarks.",
			"A reader keeps up if no event, a bookmark included, waits for it as long as half of BookmarkEvery.",
			"The Bookmark that ends the initial events is not counted as one of them. The others come after it, or after the last Added",
			"BookmarkEvery is how often a watcher that asked for bookmarks gets one. 0 is one minute.",
			"A change is sent as soon as it has been committed and the reader has room for it", "However often bookmarks are due, they do not crowd changes out.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const every = 10 * time.Second
			s := startWith(t, open(), 64, every)
			s.unasked(t, every)
			o := kit.ListOptions{Namespace: "quiet", ResourceVersion: "1", AllowWatchBookmarks: true}
			marked := s.watch(t, o)
			last := s.progress(t, marked, every)
			marked.Stop()
			o.ResourceVersion, o.AllowWatchBookmarks = strconv.FormatUint(last, 10), false
			again := s.watch(t, o)
			again.Expect(t, []string{}, "A watch from the version of a bookmark brought a change of another namespace.")
			again.Stop()

			t.Note("with a BookmarkEvery of 0 the period is one minute")
			s = startWith(t, open(), 64, 0)
			o = kit.ListOptions{Namespace: "quiet", ResourceVersion: "1", AllowWatchBookmarks: true}
			marked = s.watch(t, o)
			s.progress(t, marked, time.Minute)
			marked.Stop()

			for _, every := range []time.Duration{every, 50 * time.Millisecond, 3 * time.Hour} {
				quietly(t, open(), every)
			}
			busily(t, open(), every)
			alwaysBehind(t, open(), every)
			for _, every := range []time.Duration{10 * time.Millisecond, time.Microsecond} {
				outpaced(t, open(), every)
			}
			for seconds := int64(9); seconds <= 22; seconds++ {
				timed(t, open(), every, seconds)
			}
			missed(t, open(), every)
		},
	},
	{
		Name:   "bookmarks-never-run-ahead",
		Points: 5,
		Func:   "Watchable.Watch",
		Rule:   "When a bookmark comes, every change up to its version that the watch is about has come before it, and its version never falls.",
		Why:    "A reflector goes on from a bookmark after a cut: it never gets a change that the bookmark skipped.",
		Hint: []string{
			"Has this watcher seen everything up to the store's version, or has it only happened?",
			"A slow reader has changes waiting when the bookmark is due. It may name no version beyond the changes that were sent.",
		},
		Source: "KEP-956: a bookmark's version is one up to which everything has been sent",
		Contract: []string{
			"every change up to this version that this watch is about has been delivered",
			"It never falls, nor below that of the Bookmark that ended the initial events.",
			"one at least in any two such periods",
			"The others come after it, or after the last Added",
		},
		Check: func(t *conform.T, open func() Subject) {
			const every = 10 * time.Second
			t.Virtual(func(t *conform.T) {
				initially(t, open(), every)
				elsewhere(t, open(), every)
				for _, early := range []bool{true, false} {
					atTheMoment(t, open(), every, early)
				}
				slowReader(t, open(), every)
			})
			t.Copies(func(t *conform.T) { oftenAtTheMoment(t, open()) })
		},
	},
}

// passedOver has almost a window of changes of other namespaces go by, and then commits as many of a watch's own as it may
// be behind. A watcher that has slept through the others may wake in time, at the first of its own, but not each time.
func passedOver(t *conform.T, subject Subject) {
	const window, rounds = 4, 100
	s := start(t, subject, window)
	w := s.watch(t, kit.ListOptions{Namespace: "quiet", ResourceVersion: "1"})
	t.Note("up to %d times, commits %d changes of namespace busy, waits until the watcher is idle, and commits %d changes of namespace quiet at once", rounds, window-1, window)
	quiet := &conform.Actor{}
	for range rounds {
		s.puts(quiet, window-1, "busy", "x")
		t.Wait()
		before := s.version
		s.puts(quiet, window, "quiet", "a")
		w.As(quiet).Expect(t, s.after(before, "quiet"), fmt.Sprintf("%d changes of other namespaces were committed while no event of a watch waited for its reader: they do not count, as the watcher passes over them at once. Then %d changes of its own namespace were committed. One that is behind by no more than Window, here %d, gets them all.", window-1, window, window))
	}
	w.Stop()
}

// names has objects whose names and namespaces are easily taken for those of others.
func (s *store) names(t *conform.T) {
	check := func() {
		for _, ns := range []string{"", "a", "A", "ab", "a-b", "team", "team-a"} {
			list, err := s.list(t.Context(), t.Actor, kit.ListOptions{Namespace: ns})
			t.Require(err == nil, "List failed: %v.", err)
			of := "namespace " + strconv.Quote(ns)
			if ns == "" {
				of = "all namespaces"
			}
			var got []string
			for _, p := range list.Items {
				got = append(got, listwatch.Show(kit.Event[*kit.Pod]{Type: kit.Added, Object: p}))
			}
			listwatch.SameSet(t, s.state(ns), got, "The list of %s does not show each object there is, and only those.", of)
			newest := s.log[len(s.log)-1]
			t.Require(list.ResourceVersion == from(newest.version).ResourceVersion, "The newest change of all is %s, and the list of %s has version %q: a list has the version of the newest change.", newest, of, list.ResourceVersion)
			w := s.watch(t, kit.ListOptions{Namespace: ns})
			events, _ := w.Ready(t)
			listwatch.SameSet(t, s.state(ns), listwatch.Texts(events), "A watch of %s did not begin with an Added for each object there is, and only those.", of)
			w.Stop()
			o := from(1)
			o.Namespace = ns
			w = s.watch(t, o)
			w.Expect(t, s.after(1, ns), "A watch of %s did not bring the changes there, and those only.", of)
			w.Stop()
		}
	}
	for _, p := range [][2]string{{"a", "bc"}, {"A", "bc"}, {"ab", "c"}, {"a-b", "c"}, {"a", "b-c"}, {"team-a", "x"}, {"", "a"}} { // the last is in no namespace
		s.put(t.Actor, p[0], p[1])
	}
	check()
	s.delete(t.Actor, "ab", "c")
	check()
	s.delete(t.Actor, "", "a")
	check()
}

// taken says of a version whether it was that of the store at some time, for as long as a round took.
func taken(newest map[uint64]time.Duration, version uint64, round time.Duration) string {
	from, was := newest[version]
	if !was {
		return "The store itself was never at that version for longer than a moment."
	}
	return fmt.Sprintf("%d was the newest version of the whole store from %v to %v, when that bookmark's period ended; the changes before it were still on their way to the reader.", version, from, from+round)
}

// versionOf is the version up to which a reader that has got n changes has seen
// everything: that of the n-th, as versions are consecutive there.
func versionOf(s *store, n int) uint64 {
	if n == 0 {
		return 0
	}
	return s.log[n-1].version
}

// progress has a busy cluster go on for twenty periods, many windows long, and reads the
// bookmarks of a watch as they come. It returns the version of the last.
func (s *store) progress(t *conform.T, w stream, every time.Duration) (version uint64) {
	t.Go("writer", func(a *conform.Actor) {
		a.Note("commits a change of busy/x each second from now on")
		quiet := &conform.Actor{} // they would fill the history
		for range 20 * int(every/time.Second) {
			s.put(quiet, "busy", "x")
			time.Sleep(time.Second)
		}
	})
	defer t.Join()
	version = 1
	came := false
	began := t.Elapsed()
	for at := began; at < began+18*every; at = t.Elapsed() {
		next := s.bookmark(t, receive(t, w, every), version)
		if came { // the first may come at once
			t.Require(next > version, "A bookmark has version %d as the one %v before it, and meanwhile the store has gone on to %d, all of it in another namespace: there was nothing to deliver, and the version moves on.", next, t.Elapsed()-at, s.reached())
			t.Require(t.Elapsed()-at >= every/2, "With BookmarkEvery of %v there were %v between two bookmarks, and there is at least half a period.", every, t.Elapsed()-at)
		}
		version, came = next, true
	}
	return version
}

// receive is the next event of a watch that gets bookmarks, which comes within two periods.
func receive(t *conform.T, w stream, every time.Duration) kit.Event[*kit.Pod] {
	call := t.Call("wait for a bookmark")
	select {
	case e, ok := <-w.Watch.ResultChan():
		if !ok {
			call.Returned("the ResultChan is closed")
			t.Fatalf("The watch ended although nothing has ended it.")
		}
		call.Returned("%s", listwatch.Show(e))
		return e
	case <-time.After(2*every + every/10):
		call.Returned("nothing came")
		t.Fatalf("For %v no bookmark came, and BookmarkEvery is %v: there is at least one in any two periods, whether anything changes or not.", 2*every+every/10, every)
	}
	panic("unreachable")
}

// bookmark checks the form of one and returns its version.
func (s *store) bookmark(t *conform.T, e kit.Event[*kit.Pod], last uint64) uint64 {
	t.Require(e.Type == kit.Bookmark, "There was nothing but a bookmark to deliver, and the watch brought %s.", listwatch.Show(e))
	if e.Object == nil {
		t.Fatalf("A bookmark has no object.")
	}
	got := e.Object.DeepCopy()
	e.Object.Labels = map[string]string{"its": "reader's"} // who may do so: the next one is another object
	reached := s.reached()                                 // and orders both before the next change
	want := kit.Pods.New()
	want.ResourceVersion = got.ResourceVersion
	same(t, want, got, "A bookmark carries more than a resource version, or is the object of an earlier one, of this watch or of another, into which its reader wrote the label \"its\"")
	n, err := strconv.ParseUint(got.ResourceVersion, 10, 64)
	t.Require(err == nil, "The version %q of a bookmark is not a decimal number: %v.", got.ResourceVersion, err)
	t.Require(n >= last, "A bookmark has version %d, and the one before it had %d: its version never falls.", n, last)
	t.Require(n <= reached, "A bookmark has version %d, and the store has only reached %d.", n, reached)
	return n
}

// watchList begins a watch list, checks its beginning and sees it follow.
func (s *store) watchList(t *conform.T, namespace, version string) {
	before, want := s.version, s.state(namespace)
	w := s.watch(t, kit.ListOptions{Namespace: namespace, ResourceVersion: version, SendInitialEvents: true, AllowWatchBookmarks: true})
	s.put(t.Actor, "old", "late") // after the call: not one of the initial events
	events, closed := w.Ready(t)
	if closed {
		t.Fatalf("The watch list ended although nothing has ended it.")
	}
	got := listwatch.Texts(events)
	end := slices.Index(got, "BOOKMARK @"+strconv.FormatUint(before, 10)+" end of the initial events")
	if end < 0 {
		t.Fatalf("The watch list was called at version %d with %d objects to show, and brought no bookmark that has this version and the annotation %s, which ends the initial events; it brought %v.", before, len(want), kit.InitialEventsEnd, got)
	}
	early := slices.IndexFunc(events[end+1:], func(e kit.Event[*kit.Pod]) bool { return e.Type == kit.Bookmark })
	t.Require(early < 0, "A watch list brought a second bookmark at the moment at which it began, after the one that ends its initial events: %v. The first of the others may come at any time after that, but not at once.", got[end:])
	listwatch.SameSet(t, want, got[:end], "The watch list did not begin with an Added for each object there was at the call, and only those.")
	listwatch.Same(t, s.after(before, namespace), got[end+1:], "After the end of the initial events the watch did not follow with the changes made since.")
	before = s.version
	s.put(t.Actor, "new", "y")
	s.delete(t.Actor, "new", "y")
	w.Expect(t, s.after(before, namespace), "The watch list did not follow with later changes.")
	w.Stop()
}

var ends = []conform.Case[Subject]{
	{
		Name:   "context-ends-the-watch",
		Points: 4,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.List"},
		Rule:   "When ctx is done the watch ends as after Stop, whether anybody reads or not; with a ctx that is done nothing begins.",
		Why:    "A client that has gone away does not call Stop: its context is the only sign, and without it every cut connection leaves a goroutine (kubernetes#25331).",
		Hint: []string{
			"Where does your goroutine block, and what does each of these places listen to?",
			"Derive the watch's context from ctx; Stop cancels it. Then there is only one thing to listen to.",
		},
		Source: "client-go tools/cache/listwatch.go: ListerWatcherWithContext; kubernetes#25331: a watcher leaked on an unread channel",
		Contract: []string{
			"The watch ends, and its ResultChan is closed, soon after Stop, soon after ctx is done",
			"No Error event says so, and it makes no difference whether anybody reads from the ResultChan.",
			"If ctx is done when Watch is called, it returns ctx.Err(), whatever the options.",
			"If ctx is done, List returns ctx.Err(), whatever the version.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 1000)
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, errors.New("the cause"))
			defer cancel()
			t.Ends(ctx)
			idle, err := s.try(ctx, t.Actor, from(1))
			t.Require(err == nil, "A watch from the first version was refused: %v.", err)
			timed := from(1)
			timed.TimeoutSeconds = 2 * 3600 // its context ends before that
			unread, err := s.try(ctx, t.Actor, timed)
			t.Require(err == nil, "A watch from the first version was refused: %v.", err)
			s.puts(t.Actor, 400, "a", "x")
			idle.Expect(t, s.after(1, ""), "The watch did not bring all changes.")
			time.Sleep(time.Hour)
			idle.Rest()
			for _, e := range unread.Rest() {
				t.Require(e.Type != kit.Error, "The context of a watch ended, and the watch delivered %s: no Error event says so.", listwatch.Show(e))
			}
			t.Require(t.Elapsed() <= time.Hour+time.Second, "The context of both watches ended at %v, and it was %v when both ResultChans were closed.", time.Hour, t.Elapsed())
			for _, version := range []string{"1", "", "1000000", "x"} {
				o := kit.ListOptions{ResourceVersion: version}
				_, err = s.try(ctx, t.Actor, o)
				t.Require(err == context.DeadlineExceeded, "Watch with a context that is done did not return the context's error, %q, but %q.", context.DeadlineExceeded, fmt.Sprint(err))
				_, err = s.list(ctx, t.Actor, o)
				t.Require(err == context.DeadlineExceeded, "List with a context that is done did not return the context's error, %q, but %q.", context.DeadlineExceeded, fmt.Sprint(err))
			}

			// Nobody reads and nobody stops: what is left of these is a leak.
			ctx, cancel = t.WithCancel(context.WithoutCancel(t.Context()), "the context of watches that nobody reads or stops")
			left := s.abandoned(ctx, t, 0)
			s.puts(t.Actor, 400, "a", "x")
			t.Wait()
			cancel()
			closedUnread(t, left, "The ctx of a watch has been done")

			ctx, cancel = t.WithCancel(t.Context(), "the context of watches whose readers wait")
			s.endsInSilence(t, ctx, "The context of a watch ended", func(stream) { cancel() })
		},
	},
	{
		Name:   "timeout-ends-cleanly",
		Points: 4,
		Func:   "Watchable.Watch",
		Rule:   "After TimeoutSeconds the ResultChan is closed, without an Error event, whether the reader is waiting, late or gone; 0 is for ever.",
		Why:    "Reflectors ask for five to ten minutes, so that watchers spread over the API servers anew; the end of a watch is normal, not a failure.",
		Hint: []string{
			"Does your timer also reach the goroutine while it waits for a reader?",
			"context.WithTimeout: the end of the time is one more way in which the context ends.",
		},
		Source: "apiserver pkg/endpoints/handlers/watch.go: WatchServer.HandleHTTP; client-go tools/cache/reflector.go: defaultMinWatchTimeout, Reflector.watch",
		Contract: []string{
			"soon after TimeoutSeconds have passed since the call, unless that is 0. No Error event says so, and it makes no difference whether anybody reads from the ResultChan.",
			"Events that by then were neither received nor put into the channel's buffer are dropped.",
			"A version n: every change with a version above n, and none up to n, in order",
			"no goroutine of it is left",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 1000)
			timed := from(1)
			timed.TimeoutSeconds = 30
			idle, unread, endless := s.watch(t, timed), s.watch(t, timed), s.watch(t, from(1))
			timed.TimeoutSeconds = math.MaxInt64 // of seconds; it would overflow a time.Duration
			ages := s.watch(t, timed)
			defer ages.Stop()
			timed.TimeoutSeconds = 1<<32 + 1 // in 32 bits that is one second
			century := s.watch(t, timed)
			defer century.Stop()
			soon := func(due time.Duration, what string) { // "soon after", says the contract
				t.Require(t.Elapsed() >= due, "%s ended too early: its time was over at %v, and it ended at %v.", what, due, t.Elapsed())
				t.Require(t.Elapsed() <= due+time.Second, "%s ended too late: its time was over at %v, and it ended at %v.", what, due, t.Elapsed())
			}
			timed.TimeoutSeconds = 1
			s.watch(t, timed).Rest()
			soon(time.Second, "A watch with the shortest timeout")
			timed.TimeoutSeconds = 30
			time.Sleep(28 * time.Second)
			s.puts(t.Actor, 300, "a", "x")
			idle.Expect(t, s.after(1, ""), "A second before its timeout the watch did not bring what there was.")
			endless.Expect(t, s.after(1, ""), "The watch did not bring all changes.")
			events := idle.Rest()
			t.Require(len(events) == 0, "At its timeout the watch delivered %v: nothing says so but the end.", listwatch.Texts(events))
			soon(30*time.Second, "The watch")
			late := listwatch.Texts(unread.Rest())
			listwatch.Same(t, s.after(1, "")[:min(len(late), len(s.log))], late, "A watch that had timed out brought something else than the first of its changes in order.")
			soon(30*time.Second, "A watch whose reader was late")
			timed.ResourceVersion, timed.SendInitialEvents, timed.AllowWatchBookmarks = "", true, true
			began := t.Elapsed()
			s.watch(t, timed).Rest()
			soon(began+30*time.Second, "A watch list")
			time.Sleep(time.Hour)
			before := s.version
			s.put(t.Actor, "a", "x")
			endless.Expect(t, s.after(before, ""), "A watch without TimeoutSeconds did not go on.")
			endless.Stop()
			ages.Expect(t, s.after(1, ""), "A watch with a timeout of ages did not bring all changes.")
			century.Expect(t, s.after(1, ""), "A watch with TimeoutSeconds %d, which is more than a century, did not bring all changes.", 1<<32+1)

			timed = from(s.version)
			const days = 200_000
			timed.TimeoutSeconds = days
			began = t.Elapsed()
			s.watch(t, timed).Rest()
			soon(began+days*time.Second, "A watch with a timeout of more than two days")

			takesItsTime(t, open())
			readAsItEnds(t, open())

			// Nobody reads, stops or cancels these: their time alone ends them.
			left := s.abandoned(context.WithoutCancel(t.Context()), t, 300)
			for i := range 300 { // more initial events than anybody keeps ready
				s.put(&conform.Actor{}, "b", fmt.Sprint(i))
			}
			many, err := s.try(context.WithoutCancel(t.Context()), t.Actor, kit.ListOptions{TimeoutSeconds: 30})
			t.Require(err == nil, "A watch that has no reason to be refused was refused: %v.", err)
			s.puts(t.Actor, 400, "a", "x")
			time.Sleep(300 * time.Second)
			closedUnread(t, append(left, many), "The TimeoutSeconds of a watch have been over")
		},
	},
}

// takesItsTime has a reader receive an event now and then until the time of its watch is over: objects
// that there are, or changes.
func takesItsTime(t *conform.T, subject Subject) {
	const seconds, events, objects = 30, 7, 20
	const pause = 4 * time.Second
	s := start(t, subject, 1000)
	quiet := &conform.Actor{}
	for i := range objects {
		s.put(quiet, "a", fmt.Sprint(i))
	}
	t.Note("%d objects have been committed; a reader takes an event each %v", objects, pause)
	for _, o := range []kit.ListOptions{{}, from(1), {SendInitialEvents: true, AllowWatchBookmarks: true}} {
		o.TimeoutSeconds = seconds
		w := s.watch(t, o)
		for i := range events {
			time.Sleep(pause)
			_, ok := w.Next()
			t.Require(ok, "A watch with TimeoutSeconds %d was closed %v after the call.", seconds, time.Duration(i+1)*pause)
		}
		time.Sleep(pause)
		_, closed := w.Ready(t)
		t.Require(closed, "A watch with TimeoutSeconds %d, whose reader takes an event each %v, is still open %v after the call: the time counts from the call.", seconds, pause, (events+1)*pause)
	}
}

// readAsItEnds has a watch end while changes wait for room in its full channel, and has a reader take an event
// whenever the subject copies an object from then on: what could not be sent has nothing after it.
func readAsItEnds(t *conform.T, subject Subject) {
	const window, rounds = 200, 10
	for range rounds {
		var mu sync.Mutex // guards read, and the order of what is received
		var reads <-chan kit.Event[*kit.Pod]
		var read []kit.Event[*kit.Pod]
		typ := kit.Pods
		typ.DeepCopy = func(p *kit.Pod) *kit.Pod {
			mu.Lock()
			defer mu.Unlock()
			select {
			case e, open := <-reads:
				if open {
					read = append(read, e)
				}
			default: // nothing waits, or the watch goes on
			}
			return p.DeepCopy()
		}
		s := start(t, Subject{New: func(_ kit.Type[*kit.Pod], window int, every time.Duration) Source {
			return subject.New(typ, window, every)
		}}, window)
		timed := from(1)
		timed.TimeoutSeconds = 30
		w := s.watch(t, timed)
		s.puts(t.Actor, window, "a", "x")
		t.Wait()
		mu.Lock()
		reads = w.Watch.ResultChan()
		mu.Unlock()
		t.Note("from now on a reader takes an event of the watch whenever a pod is copied")
		time.Sleep(time.Minute)
		rest := w.Rest()
		mu.Lock()
		got := listwatch.Texts(append(read, rest...))
		mu.Unlock()
		listwatch.Same(t, s.after(1, "")[:min(len(got), window)], got, "A watch timed out while changes waited for room in its ResultChan, and a reader came at that moment. It received something else than the first changes in order.")
	}
}

// closedUnread requires that the watches of abandoned, and one with initial events, which have come to their ends, are
// closed within a second, although what waited in them was not received.
func closedUnread(t *conform.T, left []stream, end string) {
	const soon = 2 * time.Second // the contract says one
	time.Sleep(soon)
	t.Wait()
	waits := []string{"an initial event", "the bookmark that ends the initial events", "a bookmark", "a change", "a deletion", "an initial event"}
	for i, w := range left {
		held := len(w.Watch.ResultChan())
		events, closed := w.Ready(t)
		t.Require(closed && len(events) <= held, "%s for %v or more, while %s waits for its reader, and the watch has not ended: its ResultChan held %s and was not closed, and a reader who came then received %s. It makes no difference whether anybody reads from it.",
			end, soon, waits[i], conform.Count(held, "event"), conform.Count(len(events), "event"))
	}
}
