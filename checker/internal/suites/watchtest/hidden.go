package watchtest

import (
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var hidden = slices.Concat(streams, ends, slow, concurrent, models)

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
		Mode:   conform.Virtual,
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
		},
	},
	{
		Name:   "namespaces-apart",
		Points: 4,
		Func:   "Watchable.Watch",
		Rule:   "A watch of a namespace brings its changes and no others, and does not count as slow because of changes in other namespaces.",
		Why:    "Every kubelet watches a small part of a busy cluster. If changes elsewhere cut it off, it would list again and again.",
		Hint: []string{
			"What happens to the watcher's position at a change of another namespace?",
			"A change that is not sent counts as delivered, at once.",
		},
		Source: "apiserver pkg/storage/cacher/cache_watcher.go: cacheWatcher.convertToWatchEvent (filtered events take no room)",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
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
					w.expect(t, s.after(before, "quiet"), "A watch of one namespace did not bring the changes of that namespace, and those only.")
				}
				for range 50 { // many windows, of which the watch is to bring nothing
					s.puts(t.Actor, 4, "busy", "x")
					t.Wait()
				}
			}
			for _, w := range all {
				w.stop()
			}
		},
	},
	{
		Name:   "bookmarks-carry-progress",
		Points: 5,
		Func:   "Watchable.Watch",
		Rule:   "A watch that asks for bookmarks gets one about every BookmarkEvery, with nothing but a version, which moves on with the store; any other watch gets none.",
		Why:    "Without them the watcher of a quiet namespace knows only an old version, finds it expired after a cut, and lists everything anew.",
		Hint: []string{
			"Up to which version has a watcher of an empty namespace seen everything?",
			"A ticker in the watcher's goroutine; the version is that up to which it has read, sent or passed over.",
			"The object is a new one from Type.New.",
		},
		Source: "KEP-956; apiserver pkg/storage/cacher/cache_watcher.go: nextBookmarkTime",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const every = 10 * time.Second
			s := startWith(t, open(), 64, every)
			o := kit.ListOptions{Namespace: "quiet", ResourceVersion: "1", AllowWatchBookmarks: true}
			marked := s.watch(t, o)
			o.AllowWatchBookmarks = false
			plain := s.watch(t, o)
			last, n := uint64(1), 0
			for i := range 12 {
				for range 20 { // a busy cluster: more than a window in two periods
					s.put(t.Actor, "busy", "x")
					time.Sleep(time.Second)
					t.Wait()
				}
				events, closed := marked.ready(t)
				require.False(t, closed, "The watch ended although nothing has ended it.")
				n += len(events)
				require.NotEmpty(t, events, "There was no bookmark in two times BookmarkEvery.")
				for _, e := range events {
					last = s.bookmark(t, e, last)
				}
				require.LessOrEqual(t, len(events), 5, "There were more bookmarks than one in each half of BookmarkEvery.")
				require.LessOrEqual(t, n, 4*(i+1)+1, "There were more bookmarks than one in each half of BookmarkEvery.")
				require.Greater(t, last+21, s.version, "The bookmarks do not move on with the changes in other namespaces.")
			}
			o.ResourceVersion = strconv.FormatUint(last, 10)
			marked.stop()
			again := s.watch(t, o)
			again.expect(t, []string{}, "A watch from a bookmark's version brought a change of another namespace.")
			again.stop()
			plain.expect(t, []string{}, "A watch that did not ask for bookmarks got one.")
			plain.stop()
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
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const every = 10 * time.Second
			s := startWith(t, open(), 4000, every)
			w := s.watch(t, kit.ListOptions{ResourceVersion: "1", AllowWatchBookmarks: true})
			time.Sleep(2 * every)
			events, _ := w.ready(t) // of a reader that keeps up
			require.NotEmpty(t, events, "There was no bookmark in two times BookmarkEvery.")
			for _, e := range events {
				s.bookmark(t, e, 1)
			}
			next, last := 0, uint64(1)
			for range 40 {
				s.puts(t.Actor, 25, "a", "x")
				time.Sleep(every / 2)
				for range 15 { // slower than the writer
					e, ok := <-w.w.ResultChan()
					require.True(t, ok, "The watch ended although its reader was not a window behind.")
					if e.Type == kit.Bookmark {
						last = s.bookmark(t, e, last)
						require.LessOrEqual(t, last, max(1, versionOf(s, next)), "A bookmark came before changes up to its version had.")
						continue
					}
					require.Equal(t, s.log[next].String(), show(e), "The watch did not bring the changes in order.")
					next++
				}
			}
			w.stop()
			w.rest()
		},
	},
}

// versionOf is the version up to which a reader that has got n changes has seen
// everything: that of the n-th, as versions are consecutive there.
func versionOf(s *store, n int) uint64 {
	if n == 0 {
		return 0
	}
	return s.log[n-1].version
}

// bookmark checks the form of one and returns its version.
func (s *store) bookmark(t *conform.T, e kit.Event[*kit.Pod], last uint64) uint64 {
	require.Equal(t, kit.Bookmark, e.Type, "A watch of a namespace in which nothing happened brought something other than a bookmark.")
	require.NotNil(t, e.Object, "A bookmark has no object.")
	want := kit.Pods.New()
	want.ResourceVersion = e.Object.ResourceVersion
	require.Equal(t, text(want), text(e.Object), "A bookmark carries more than a resource version, or is an object that its reader had got before.")
	e.Object.Labels = map[string]string{"its": "reader's"} // who may do so: the next one is another object
	n, err := strconv.ParseUint(e.Object.ResourceVersion, 10, 64)
	require.NoError(t, err, "The version of a bookmark is not a decimal number.")
	require.GreaterOrEqual(t, n, last, "The version of a bookmark is lower than that of one before it.")
	require.LessOrEqual(t, n, s.version, "A bookmark has a version that the store has not reached.")
	return n
}

// watchList begins a watch list, checks its beginning and sees it follow.
func (s *store) watchList(t *conform.T, namespace, version string) {
	before, want := s.version, s.state(namespace)
	w := s.watch(t, kit.ListOptions{Namespace: namespace, ResourceVersion: version, SendInitialEvents: true, AllowWatchBookmarks: true})
	s.put(t.Actor, "old", "late") // after the call: not one of the initial events
	events, closed := w.ready(t)
	require.False(t, closed, "The watch ended although nothing has ended it.")
	got := texts(events)
	end := slices.Index(got, "BOOKMARK @"+strconv.FormatUint(before, 10)+" end of the initial events")
	require.GreaterOrEqual(t, end, 0, "The initial events do not end with a bookmark that has the annotation %s and the version of the call.", kit.InitialEventsEnd)
	require.ElementsMatch(t, want, got[:end], "The watch list did not begin with an Added for each object there was at the call, and only those.")
	require.Equal(t, s.after(before, namespace), got[end+1:], "After the end of the initial events the watch did not follow with the changes made since.")
	before = s.version
	s.put(t.Actor, "new", "y")
	s.delete(t.Actor, "new", "y")
	w.expect(t, s.after(before, namespace), "The watch list did not follow with later changes.")
	w.stop()
}

var ends = []conform.Case[Subject]{
	{
		Name:   "context-ends-the-watch",
		Points: 4,
		Func:   "Watchable.Watch",
		Rule:   "When ctx is done the watch ends as after Stop, whether anybody reads or not; with a ctx that is done nothing begins.",
		Why:    "A client that has gone away does not call Stop: its context is the only sign, and without it every cut connection leaves a goroutine (kubernetes#25331).",
		Hint: []string{
			"Where does your goroutine block, and what does each of these places listen to?",
			"Derive the watch's context from ctx; Stop cancels it. Then there is only one thing to listen to.",
		},
		Source: "client-go tools/cache/listwatch.go: ListerWatcherWithContext; kubernetes#25331: a watcher leaked on an unread channel",
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 1000)
			ctx, cancel := context.WithTimeoutCause(t.Context(), time.Hour, errors.New("the cause"))
			defer cancel()
			idle, err := s.try(t.Actor, ctx, from(1))
			require.NoError(t, err, "Watch refused to begin although it had no reason to.")
			unread, err := s.try(t.Actor, ctx, from(1))
			require.NoError(t, err, "Watch refused to begin although it had no reason to.")
			s.puts(t.Actor, 400, "a", "x")
			idle.expect(t, s.after(1, ""), "The watch did not bring all changes.")
			time.Sleep(time.Hour)
			idle.rest()
			for _, e := range unread.rest() {
				require.NotEqual(t, kit.Error, e.Type, "The watch delivered an Error event when its context ended.")
			}
			_, err = s.try(t.Actor, ctx, from(1))
			require.True(t, err == context.DeadlineExceeded, "Watch with a context that is done did not return the context's error.")
			_, err = s.list(t.Actor, ctx, kit.ListOptions{})
			require.True(t, err == context.DeadlineExceeded, "List with a context that is done did not return the context's error.")

			// Nobody reads and nobody stops: what is left of this one is a leak.
			ctx, cancel = context.WithCancel(t.Context())
			_, err = s.try(t.Actor, ctx, kit.ListOptions{})
			require.NoError(t, err, "Watch refused to begin although it had no reason to.")
			s.puts(t.Actor, 400, "a", "x")
			t.Wait()
			cancel()
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
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 1000)
			timed := from(1)
			timed.TimeoutSeconds = 30
			idle, unread, endless := s.watch(t, timed), s.watch(t, timed), s.watch(t, from(1))
			timed.TimeoutSeconds = math.MaxInt64 // of seconds; it would overflow a time.Duration
			ages := s.watch(t, timed)
			timed.TimeoutSeconds = 30
			defer ages.stop()
			soon := func(after time.Duration, message string) { // "soon after", says the contract
				require.GreaterOrEqual(t, t.Elapsed(), after, message)
				require.LessOrEqual(t, t.Elapsed(), after+time.Second, message)
			}
			time.Sleep(29 * time.Second)
			s.puts(t.Actor, 300, "a", "x")
			idle.expect(t, s.after(1, ""), "A second before its timeout the watch did not bring what there was.")
			endless.expect(t, s.after(1, ""), "The watch did not bring all changes.")
			events := idle.rest()
			require.Empty(t, events, "The watch delivered something at its timeout.")
			soon(30*time.Second, "The watch did not end when its TimeoutSeconds had passed.")
			for i, e := range unread.rest() {
				require.Equal(t, s.log[i].String(), show(e), "A watch that had timed out brought something other than the changes in order.")
			}
			soon(30*time.Second, "A watch whose reader was late did not end when its TimeoutSeconds had passed.")
			timed.ResourceVersion, timed.SendInitialEvents, timed.AllowWatchBookmarks = "", true, true
			began := t.Elapsed()
			s.watch(t, timed).rest()
			soon(began+30*time.Second, "A watch list did not end when its TimeoutSeconds had passed.")
			time.Sleep(time.Hour)
			before := s.version
			s.put(t.Actor, "a", "x")
			endless.expect(t, s.after(before, ""), "A watch without TimeoutSeconds did not go on.")
			endless.stop()
			events, closed := ages.ready(t)
			require.False(t, closed, "A watch with a timeout of ages ended after an hour.")
			require.Equal(t, s.after(1, ""), texts(events), "A watch with a timeout of ages did not bring all changes.")

			// Nobody reads, stops or cancels this one: its time alone ends it.
			_, err := s.try(t.Actor, context.WithoutCancel(t.Context()), kit.ListOptions{TimeoutSeconds: 30})
			require.NoError(t, err, "Watch refused to begin although it had no reason to.")
			s.puts(t.Actor, 400, "a", "x")
		},
	},
}
