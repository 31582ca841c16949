package watchtest

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var public = []conform.Case[Subject]{
	{
		Name:   "replays-then-follows",
		Points: 5,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.Commit"},
		Rule:   "A watch from version n brings every change above n, and none up to n, in order: the past first, then what comes, on one stream.",
		Why:    "An informer whose connection was cut goes on from the last version it saw; after a missed change its cache stays wrong until the next list.",
		Hint: []string{
			"Which changes does a watch from the version of the third change begin with: the third, or the fourth?",
			"Versions need not be consecutive: look for the first one above n, do not compute its place.",
			"If the past and the future come from one place, there is no seam between them: keep the last changes in a ring and give each watcher a position.",
		},
		Source: "Kubernetes API concepts, efficient detection of changes; apiserver pkg/storage/cacher/watch_cache.go: getAllEventsSinceLocked",
		Contract: []string{
			"A version n: every change with a version above n, and none up to n, in order: first those that are remembered and then, on the same stream, those that are still to come.",
			"Versions are decimal numbers above zero and below 2^63. They rise from change to change but need not be consecutive.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, stride := range []uint64{1, 3, 5_000_000_000} { // the last is more than 32 bits hold
				s := start(t, open(), 64)
				s.stride = stride
				s.put(t.Actor, "a", "x")
				s.put(t.Actor, "b", "y")
				middle := s.put(t.Actor, "a", "x")
				s.delete(t.Actor, "b", "y")
				last := s.put(t.Actor, "b", "y")

				all, some, none := s.watch(t, from(1)), s.watch(t, from(middle)), s.watch(t, from(last))
				if stride > 1 {
					between := s.watch(t, from(middle-1))
					between.Expect(t, s.after(middle-1, ""), "A watch from a version between two changes did not begin with the next change.")
					between.Stop()
				}
				all.Expect(t, s.after(1, ""), "A watch from version 1 did not replay all changes in order.")
				some.Expect(t, s.after(middle, ""), "A watch from a version did not replay exactly the changes above it.")
				none.Expect(t, []string{}, "A watch from the newest version brought a change.")
				s.delete(t.Actor, "a", "x")
				s.put(t.Actor, "b", "y")
				for _, w := range []stream{all, some, none} {
					w.Expect(t, s.after(last, ""), "A watch did not follow with the changes made since.")
					w.Stop()
				}
			}
			eachChange(t, open())
			largeVersions(t, open())
		},
	},
	{
		Name:   "starts-with-what-there-is",
		Points: 4,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.Commit"},
		Rule:   "A watch from \"\" or \"0\" begins with an Added for every object that there is, however old, and for no other, and follows with every later change.",
		Why:    "The object you care about was last changed a month ago, and is in no history: the answer must still contain it.",
		Hint: []string{
			"Where do you find an object whose last change has left the window?",
			"Keep the newest state of each object beside the history, and take both under one lock.",
		},
		Source: "Kubernetes API concepts, semantics for watch: get state and start at most recent, at any",
		Contract: []string{
			"first an Added event for each object that there is, in any order, each with the object's own version, and then every later change in order.",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 4)
			for _, name := range []string{"a", "b", "c", terminating, "gone"} {
				s.put(t.Actor, "old", name)
			}
			s.delete(t.Actor, "old", "gone")
			s.puts(t.Actor, 20, "new", "x")
			for _, version := range []string{"", "0"} {
				before := s.version
				w := s.watch(t, kit.ListOptions{ResourceVersion: version})
				events, closed := w.Ready(t)
				if closed {
					t.Fatalf("A watch from %q ended although nothing has ended it.", version)
				}
				listwatch.SameSet(t, s.state(""), listwatch.Texts(events), "A watch from %q did not begin with an Added for each object there is, and only those.", version)
				s.put(t.Actor, "old", "a")
				s.delete(t.Actor, "new", "x")
				s.put(t.Actor, "new", "x")
				w.Expect(t, s.after(before, ""), "After the objects there were, the watch did not follow with the changes made since.")
				w.Stop()
			}
			s.fill(t)
			w := s.watch(t, kit.ListOptions{})
			events, _ := w.Ready(t)
			listwatch.SameSet(t, s.state(""), listwatch.Texts(events), "There are %d objects, and a watch from \"\" did not begin with an Added for each of them, and only those.", len(s.pods))
			w.Stop()
		},
	},
	{
		Name:   "too-old-is-expired",
		Points: 5,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.Commit", "New"},
		Rule:   "From a version above which every change is remembered a watch is complete; if one has been forgotten Watch says Expired. A Window of changes is kept, and no more than two.",
		Why:    "410 Gone makes a reflector list again. A server that begins with what it happens to have left makes it believe in objects that are long deleted.",
		Hint: []string{
			"What is the oldest version from which you can serve without a gap? It is that of the newest change you have forgotten.",
			"Is a watch from exactly that version complete?",
		},
		Source: `apiserver pkg/storage/cacher/watch_cache_history.go: "too old resource version"`,
		Contract: []string{
			"If a change above n, of whatever namespace, is no longer remembered, Watch returns an error for which kit.IsResourceExpired is true",
			"At least that many are kept, and at most twice as many. 0 is 1024.",
			"A version n: every change with a version above n, and none up to n, in order",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const window = 8
			s := start(t, open(), window)
			s.puts(t.Actor, window, "a", "x")
			w := s.watch(t, from(1)) // nothing has been forgotten yet
			w.Expect(t, s.after(1, ""), "As many changes as the window holds were made, and a watch from before the first did not bring them.")
			w.Stop()
			t.Note("nothing has been forgotten: that begins with the next change")
			for range 40 {
				s.put(t.Actor, "a", "x")
				newest := s.version
				near, err := s.try(t.Context(), t.Actor, from(newest-window+1))
				t.Require(err == nil, "The store is at %d and the window is %d changes long: a watch from %d needs one change less than that, and was refused: %v.", newest, window, newest-window+1, err)
				near.Stop()
				w, err := s.try(t.Context(), t.Actor, from(newest-window))
				t.Require(err == nil, "The store is at %d and the window is %d changes long, so all changes above %d are remembered: a watch from there was refused: %v.", newest, window, newest-window, err)
				w.Expect(t, s.after(newest-window, ""), "A watch from just before the last Window changes did not bring all of them.")
				w.Stop()
				s.completeOrExpired(t)
				if newest <= 2*window+2 {
					continue
				}
				for _, version := range []uint64{newest - 2*window - 1, 1} {
					_, err := s.try(t.Context(), t.Actor, from(version))
					t.Require(kit.IsResourceExpired(err),
						"The store is at %d and at most twice the window of %d changes is remembered: a watch from %d must be refused with Expired, %s.", newest, window, version, outcome(err))
				}
			}

			s.expiredWithoutObjects(t)
			keptWithGaps(t, open())

			t.Note("with a Window of 0 the window is 1024 changes long")
			s = start(t, open(), 0)
			s.puts(t.Actor, 1024, "a", "x")
			w, err := s.try(t.Context(), t.Actor, from(1))
			t.Require(err == nil, "1024 changes were made, and the Window is 0, which is 1024: a watch from before the first was refused with %s.", conform.Said(err))
			w.Expect(t, s.after(1, ""), "1024 changes were made, the Window is 0, which is 1024, and a watch from before the first did not bring them.")
			w.Stop()
			s.keepsTheDefault(t, 1025)
			_, err = s.try(t.Context(), t.Actor, from(1))
			t.Require(kit.IsResourceExpired(err), "2049 changes were made, and the Window is 0, which is 1024: a watch from before the first must be refused with Expired, %s.", outcome(err))
		},
	},
	{
		Name:   "ahead-is-too-large",
		Points: 4,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.List"},
		Rule:   "A version that lies ahead of the newest change is an error for List and Watch, and so is one that is not a number; neither call waits.",
		Why:    "After a restore from backup, clients know versions that the server has yet to reach. A reflector that gets this error lists again (kubernetes#92537); a watch that waited in silence would miss everything until then.",
		Hint: []string{
			"What do you compare the version of the options with?",
			"kit.NewTooLargeResourceVersion makes the error that upstream sends.",
		},
		Source: "apiserver pkg/storage/errors.go: NewTooLargeResourceVersionError; apiserver pkg/storage/api_object_versioner.go: ParseResourceVersion",
		Contract: []string{
			"A version that lies ahead of the newest change is an error for which kit.IsTooLargeResourceVersion is true, and one that is not a decimal number, digits 0 to 9 and nothing else, is Invalid",
			"A version that lies ahead, or is no number, is an error as it is for List.",
			"It returns without waiting for anything.",
			"a number of 2^63 or more may be either",
			"Versions are decimal numbers above zero and below 2^63.",
			"A new Watchable has no objects and stands at version 1",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 8)
			for range 2 {
				refusesAhead(t, s, s.version)
				refusesBeyond(t, s)
				s.put(t.Actor, "a", "x")
				s.watch(t, from(s.version)).Stop()
				_, err := s.list(t.Context(), t.Actor, from(s.version))
				t.Require(err == nil, "A list at the newest version, %d, was refused: %v.", s.version, err)
			}
			s.putAt(t.Actor, precise, "a", "x")
			refusesAhead(t, s, s.version) // by no float64
			for _, version := range []string{"abc", "-1", "+1", "1.5", "0x2", "1_0", " 1", " ", "\u0662", "\uff12"} {
				o := kit.ListOptions{ResourceVersion: version}
				_, watch := s.try(t.Context(), t.Actor, o)
				_, watchList := s.try(t.Context(), t.Actor, kit.ListOptions{ResourceVersion: version, SendInitialEvents: true, AllowWatchBookmarks: true})
				_, list := s.list(t.Context(), t.Actor, o)
				for call, err := range map[string]error{"watch": watch, "watch list": watchList, "list": list} {
					t.Require(kit.IsInvalid(err), "%q is no version: a %s at it must be refused with Invalid, %s.", version, call, outcome(err))
				}
			}
		},
	},
	{
		Name:   "list-meets-watch",
		Points: 4,
		Func:   "Watchable.List",
		Rule:   "List shows the newest state with the version of the newest change of all; a watch from that version brings exactly what comes later.",
		Why:    "All of Kubernetes' caches are filled by this one protocol, list and watch.",
		Hint: []string{
			"Nothing has happened in a namespace for a long time. Which version does its list carry?",
			"Read the objects and the version under one lock.",
		},
		Source: "client-go tools/cache/reflector.go: ListAndWatch",
		Contract: []string{
			`List returns the objects of options.Namespace, or of all if that is "", in any order, and the version of that moment: the version of the newest change of all.`,
			"A new Watchable has no objects and stands at version 1",
			"A version n: every change with a version above n, and none up to n, in order",
		},
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 8)
			empty, err := s.list(t.Context(), t.Actor, kit.ListOptions{})
			t.Require(err == nil, "List failed: %v.", err)
			t.Assert(len(empty.Items) == 0, "The list of a new Watchable has %s, and should have none.", conform.Count(len(empty.Items), "object"))
			t.Assert(empty.ResourceVersion == "1", "A new Watchable stands at version %q, and should stand at 1.", empty.ResourceVersion)
			s.put(t.Actor, "quiet", "a")
			s.put(t.Actor, "quiet", terminating)
			s.put(t.Actor, "busy", "gone")
			s.delete(t.Actor, "busy", "gone")
			s.puts(t.Actor, 30, "busy", "b")
			for _, ns := range []string{"", "quiet", "busy", "none"} {
				list, err := s.list(t.Context(), t.Actor, kit.ListOptions{Namespace: ns, ResourceVersion: "2"})
				t.Require(err == nil, "List failed: %v.", err)
				var got []string
				for _, p := range list.Items {
					got = append(got, listwatch.Show(kit.Event[*kit.Pod]{Type: kit.Added, Object: p}))
				}
				listwatch.SameSet(t, s.state(ns), got, "The list of namespace %q does not show the newest state of each of its objects, and only those.", ns)
				t.Require(list.ResourceVersion == from(s.version).ResourceVersion, "The list of namespace %q has version %q, and the newest change of all has %d: a list has the version of that.", ns, list.ResourceVersion, s.version)
				o := kit.ListOptions{Namespace: ns, ResourceVersion: list.ResourceVersion}
				w := s.watch(t, o)
				before := s.version
				s.put(t.Actor, "busy", "b")
				s.put(t.Actor, "quiet", "a")
				w.Expect(t, s.after(before, ns), "A watch from a list's version did not bring exactly what came after the list.")
				w.Stop()
			}
			s.fill(t)
			list, err := s.list(t.Context(), t.Actor, kit.ListOptions{})
			t.Require(err == nil, "List failed: %v.", err)
			t.Require(len(list.Items) == len(s.pods), "There are %d objects, and List returned %d.", len(s.pods), len(list.Items))
			s.putAt(t.Actor, precise+1, "quiet", "a")
			list, err = s.list(t.Context(), t.Actor, kit.ListOptions{Namespace: "quiet"})
			t.Require(err == nil, "List failed: %v.", err)
			t.Require(list.ResourceVersion == from(s.version).ResourceVersion, "The list has version %q, and the newest change has %d: a list has the version of that. A float64 does not hold every number above 2^53.", list.ResourceVersion, s.version)
		},
	},
	{
		Name:   "stop-closes-the-channel",
		Points: 4,
		Func:   "watcher.Stop",
		Look:   []string{"watcher.Stop", "Watchable.Watch"},
		Rule:   "After Stop the ResultChan is closed, with events waiting or without; Stop may be called again, from any goroutine, at any time.",
		Why:    "A reflector stops its watch in a defer, and its caller may have stopped it already: a second close of the channel would end the process.",
		Hint: []string{
			"Which goroutine closes the ResultChan? If it is not the sender, what happens to a send at that moment?",
			"What wakes a sender that waits for a reader that has left?",
			"Let Stop only signal; a cancelled context may be cancelled again.",
		},
		Source: "apimachinery pkg/watch/watch.go: Interface; kubernetes#108080: send on a closed channel; kubernetes#38670: a watcher blocked after Stop",
		Contract: []string{
			"The watch ends, and its ResultChan is closed, soon after Stop",
			"No Error event says so, and it makes no difference whether anybody reads from the ResultChan.",
			"Stop never blocks and may be called any number of times, from any goroutine.",
			"ResultChan delivers the events; it is the same channel at every call.",
		},
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				s := start(t, open(), 1000)
				marked := s.watch(t, kit.ListOptions{SendInitialEvents: true, AllowWatchBookmarks: true})
				o := from(1)
				o.AllowWatchBookmarks = true
				between := s.watch(t, o)
				idle := s.watch(t, from(1))
				waiting := s.watch(t, from(1))
				first := waiting.Watch.ResultChan()
				if first != waiting.Watch.ResultChan() {
					t.Fatalf("ResultChan returned another channel at the second call.")
				}
				s.put(t.Actor, "a", "x")
				idle.Expect(t, s.after(1, ""), "The watch did not bring all changes.")
				s.puts(t.Actor, 500, "a", "x") // more than nobody reads
				idle.Ready(t)
				time.Sleep(2 * time.Minute)
				between.Next() // a bookmark is due before the next event
				t.Wait()
				t.Note("nobody reads from two of the watches from now on, and what is left of them is a leak")
				marked.Stop() // the end of its initial events waits
				between.Stop()
				for _, w := range []stream{idle, waiting} {
					w.Stop()
					w.Stop()
					w.Rest()
					w.Stop()
				}
				for _, w := range s.abandoned(context.WithoutCancel(t.Context()), t, 0) {
					w.Stop()
				}
				s.endsInSilence(t, t.Context(), "Stop was called", stream.Stop)
			})
			t.Copies(func(t *conform.T) {
				s := start(t, open(), 1000)
				w := s.watch(t, from(1))
				for range 3 {
					t.Go("stopper", func(a *conform.Actor) { w.As(a).Stop() })
				}
				s.puts(t.Actor, 10, "a", "x")
				w.Rest()
			})
			t.Copies(func(t *conform.T) { stopTogether(t, open()) })
		},
	},
}

// fill adds more objects than a server sends to a client that asks for pages.
func (s *store) fill(t *conform.T) {
	const objects = 1200
	t.Note("commits %d objects, many/0 and so on", objects)
	quiet := &conform.Actor{}
	for i := range objects {
		s.put(quiet, "many", strconv.Itoa(i))
	}
}

// endsInSilence ends watches of each kind while somebody waits for their next event.
func (s *store) endsInSilence(t *conform.T, ctx context.Context, what string, end func(stream)) {
	quiet := kit.ListOptions{Namespace: "none", ResourceVersion: strconv.FormatUint(s.version, 10)}
	marked, state := quiet, quiet
	marked.AllowWatchBookmarks = true
	state.ResourceVersion = ""
	var all []stream
	var events [3][]kit.Event[*kit.Pod]
	for i, o := range []kit.ListOptions{quiet, marked, state} {
		w, err := s.try(ctx, t.Actor, o)
		t.Require(err == nil, "A watch that has no reason to be refused was refused with %s.", conform.Said(err))
		all = append(all, w)
		t.Go("reader "+strconv.Itoa(i+1), func(a *conform.Actor) { events[i] = w.As(a).Rest() })
	}
	t.Wait()
	for _, w := range all {
		end(w)
	}
	t.Join()
	for _, came := range events {
		came = slices.DeleteFunc(came, func(e kit.Event[*kit.Pod]) bool { return e.Type == kit.Bookmark }) // of another case
		t.Require(len(came) == 0, "%s while a reader waited for the next event of its watch, and the watch brought %v: nothing says so but the end.", what, listwatch.Texts(came))
	}
}

// stopTogether has goroutines stop the same watch at the same moment, again and again.
func stopTogether(t *conform.T, subject Subject) {
	const watches, stoppers = 20, 3
	s := start(t, subject, 4)
	t.Note("%d watches, one after the other: %d goroutines call Stop of each at the same moment", watches, stoppers)
	quiet := &conform.Actor{}
	for range watches {
		w, err := s.try(t.Context(), quiet, from(1))
		t.Require(err == nil, "A watch from the newest version was refused: %v.", err)
		probe.AtOnce(slices.Repeat([]func(){w.Watch.Stop}, stoppers)...)
		w.As(quiet).Rest()
	}
}

// keepsTheDefault commits n changes, and on the way a watch from before the last 1024 of them is never refused.
func (s *store) keepsTheDefault(t *conform.T, n int) {
	const step = 5
	call := t.Call("Commit of %d changes of a/x, and after every %d of them a watch from before the last 1024", n, step)
	quiet := &conform.Actor{}
	for range n / step {
		s.puts(quiet, step, "a", "x")
		w, err := s.try(t.Context(), quiet, from(s.version-1024))
		t.Require(err == nil, "The store is at %d and the Window is 0, which is 1024: all changes above %d are remembered, and a watch from there was refused: %v.", s.version, s.version-1024, err)
		w.Stop()
	}
	call.Returned("")
}

// completeOrExpired begins watches from versions so old that they may be refused.
func (s *store) completeOrExpired(t *conform.T) {
	quiet := &conform.Actor{}
	oldest, newest := max(1, int(s.version)-2*s.window), int(s.version)-s.window
	for version := uint64(oldest); version < uint64(newest); version++ {
		w, err := s.try(t.Context(), quiet, from(version))
		if err != nil {
			t.Require(kit.IsResourceExpired(err), "The store is at %d: if a change above %d is no longer remembered, a watch from there must be refused with Expired, %s.", s.version, version, outcome(err))
			continue
		}
		events, closed := w.Ready(t)
		want, got := s.after(version, ""), listwatch.Texts(events)
		if closed { // it may be: it is more than a window behind
			want = want[:min(len(want), len(got))]
		}
		listwatch.Same(t, want, got, "The store is at %d: a watch from %d was not refused, and did not bring every change above that.", s.version, version)
		w.Stop()
	}
}

// expiredWithoutObjects deletes the only object there is.
func (s *store) expiredWithoutObjects(t *conform.T) {
	s.delete(t.Actor, "a", "x")
	_, err := s.try(t.Context(), t.Actor, from(1))
	t.Require(kit.IsResourceExpired(err), "The store is at %d, the window is %d changes long, and there is no object: a watch from 1 misses changes and must be refused with Expired, %s.", s.version, s.window, outcome(err))
}

// refusesBeyond requires that a number of more than 64 bits is refused, in one way or the other.
func refusesBeyond(t *conform.T, s *store) {
	for _, version := range []string{"18446744073709551616", "99999999999999999999999999"} {
		o := kit.ListOptions{ResourceVersion: version}
		_, watch := s.try(t.Context(), t.Actor, o)
		_, watchList := s.try(t.Context(), t.Actor, kit.ListOptions{ResourceVersion: version, SendInitialEvents: true, AllowWatchBookmarks: true})
		_, list := s.list(t.Context(), t.Actor, o)
		for call, err := range map[string]error{"watch": watch, "watch list": watchList, "list": list} {
			t.Require(kit.IsTooLargeResourceVersion(err) || kit.IsInvalid(err), "%s is above 2^63: a %s at it must be refused, as too large or with Invalid. It %s.", version, call, became(err))
		}
	}
}

// refusesAhead requires that versions ahead of the newest are refused: the next one and one far ahead.
// Where one of them is not, what becomes of the other tells a bound that is missed by one from a
// bound that is not there.
func refusesAhead(t *conform.T, s *store, newest uint64) {
	const most = math.MaxInt64
	next, far := newest+1, newest+1000
	began := t.Elapsed()
	for _, call := range []struct {
		name string
		do   func(version uint64) error
	}{
		{"watch", func(version uint64) error { _, err := s.try(t.Context(), t.Actor, from(version)); return err }},
		{"watch list", func(version uint64) error {
			o := from(version)
			o.SendInitialEvents, o.AllowWatchBookmarks = true, true
			_, err := s.try(t.Context(), t.Actor, o)
			return err
		}},
		{"list", func(version uint64) error { _, err := s.list(t.Context(), t.Actor, from(version)); return err }},
	} {
		atNext, atFar, atMost := call.do(next), call.do(far), call.do(most)
		t.Require(kit.IsTooLargeResourceVersion(atNext) && kit.IsTooLargeResourceVersion(atFar),
			"The store is at version %d, and a %s at a version ahead of that must be refused as too large. At version %d it %s, and at version %d it %s.", newest, call.name, next, became(atNext), far, became(atFar))
		t.Require(kit.IsTooLargeResourceVersion(atMost), "The store is at version %d, and a %s at version %d, which fits into 64 bits, must be refused as too large. It %s.", newest, call.name, uint64(most), became(atMost))
		beyond := call.do(math.MaxUint64) // too large for those who count with a sign
		t.Require(kit.IsTooLargeResourceVersion(beyond) || kit.IsInvalid(beyond), "The store is at version %d, and a %s at version %d must be refused. It %s.", newest, call.name, uint64(math.MaxUint64), became(beyond))
		t.Require(t.Elapsed() == began, "A %s at a version ahead of the newest returned after %v: it waits for nothing.", call.name, t.Elapsed()-began)
	}
}

// became is what came of a call that must be refused as too large.
func became(err error) string {
	switch {
	case err == nil:
		return "succeeded"
	case kit.IsTooLargeResourceVersion(err):
		return "was refused so"
	}
	return fmt.Sprintf("returned %s%s", conform.Said(err), unfound(err))
}
