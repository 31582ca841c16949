package watchtest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var slow = []conform.Case[Subject]{
	{
		Name:   "slow-watcher-stalls-nobody",
		Points: 5,
		Func:   "Watchable.Commit",
		Rule:   "Commit never waits for a watcher, and no watcher for another: watchers that are read get every change while others are not read at all.",
		Why:    "One controller that hangs must not stop the writes of the whole cluster. This is why the API server may drop a watcher, but never wait for it.",
		Hint: []string{
			"What in Commit can wait for another goroutine? A send without a default can.",
			"Let Commit put the change where watchers find it, wake the sleeping ones, and return.",
		},
		Source: "apiserver pkg/storage/cacher/cache_watcher.go: add (terminate what does not keep up); kubernetes#26980",
		Contract: []string{
			"Commit never waits for a watcher and no watcher for another.",
			"A change is sent as soon as it has been committed and the reader has room for it: a watch with nothing to send sleeps until Commit wakes it",
			"and serves any number of watchers from them.",
			"While it is behind by no more than Window it is never cut off.",
			"A version n: every change with a version above n, and none up to n, in order",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 16)
			var deaf []stream
			for _, o := range []kit.ListOptions{{ResourceVersion: "1"}, {}, {SendInitialEvents: true, AllowWatchBookmarks: true}} {
				deaf = append(deaf, s.watch(t, o))
			}
			reader := s.watch(t, from(1))
			for range 60 {
				before := s.version
				s.puts(t.Actor, 10, "a", "x")
				reader.Expect(t, s.after(before, ""), "A watch whose reader keeps up did not bring every change, while others are not read.")
			}
			for _, w := range append(deaf, reader) {
				w.Stop()
				w.Rest()
			}
			othersAreCut(t, open())
			anyNumber(t, open())
		},
	},
	{
		Name:   "slow-watcher-is-cut-off",
		Points: 5,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Commit", "Watchable.Watch"},
		Rule:   "A watcher that has fallen four windows behind is ended, whether it is read or not: what came until then has no gap, and then the channel is closed.",
		Why:    "After an honest end a reflector lists again and is right. A stream that silently skips a change leaves a cache that is wrong until the next list.",
		Hint: []string{
			"What do you do when the change that a watcher needs next is no longer there? To go on with a newer one is the one wrong answer.",
			"What notices, if the watcher's goroutine waits for a reader that never comes?",
			"Commit can compare: the newest position, and how far this watcher has got.",
		},
		Source: `apiserver pkg/storage/cacher/cache_watcher.go: cacheWatcher.add, "watcher close due to unresponsiveness"; Kubernetes API concepts: a watch may end at any time`,
		Contract: []string{
			"A watcher that falls further behind may be cut off, and certainly is when it is four times Window behind, changes of other namespaces aside. Its ResultChan is then closed at once, whether anybody reads from it or not, without an Error event and without a gap",
			"A watcher is behind by the number of changes committed and not yet received from its ResultChan, including past changes that a watch from a version replays. Initial events and bookmarks do not count.",
			"The Watchable never holds more than four times Window changes for one watcher, of whatever namespaces. No ResultChan has room for more than that and eight bookmarks, however small Window is.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const window = 16
			for _, window := range []int{8, 2} {
				exactlyFour(t, open(), window, false)
				exactlyFour(t, open(), window, true)
				burst(t, open(), window)
				replayCounts(t, open(), window, false)
				replayCounts(t, open(), window, true)
			}
			for _, window := range []int{1, window} {
				room(t, open(), window)
			}
			s := start(t, open(), window)
			s.put(t.Actor, "a", "x")
			fresh := s.version
			deaf, old := s.watch(t, from(fresh)), s.watch(t, kit.ListOptions{})
			s.puts(t.Actor, 20*window, "a", "x")
			t.Wait()
			for _, w := range []stream{deaf, old} {
				events, closed := w.Ready(t)
				if !closed {
					t.Fatalf("A watcher that is %d changes behind, with a window of %d, was not ended: %d events could be received, and its ResultChan is still open.", 20*window, window, len(events))
				}
				t.Require(len(events) <= 4*window+1, "%d events were held for a watcher that was not read; four windows are %d, and no more may be.", len(events), 4*window)
				if w == old && len(events) > 0 {
					listwatch.Same(t, []string{fmt.Sprintf("ADDED a/x@%d", fresh)}, listwatch.Texts(events[:1]), "A watch from \"\" did not begin with what there was.")
					events = events[1:]
				}
				listwatch.Same(t, s.after(fresh, "")[:len(events)], listwatch.Texts(events), "A slow watcher was brought changes with a gap between them.")
			}
			again := s.watch(t, from(s.version))
			again.Expect(t, []string{}, "A watch from the newest version brought a change.")
			again.Stop()

			// Ended, and nobody reads, stops or cancels them: what is left of them is a leak.
			version := from(s.version).ResourceVersion
			for _, o := range []kit.ListOptions{{ResourceVersion: version}, {ResourceVersion: version, Namespace: "a"}, {}, {Namespace: "a"}, {SendInitialEvents: true, AllowWatchBookmarks: true}} {
				_, err := s.try(context.WithoutCancel(t.Context()), t.Actor, o)
				t.Require(err == nil, "A watch that has no reason to be refused was refused: %v.", err)
			}
			s.abandoned(context.WithoutCancel(t.Context()), t, 0)
			for _, ns := range []string{"a", "none", "changed", "left"} {
				s.puts(t.Actor, 20*window, ns, "x")
			}
		},
	},
	{
		Name:   "one-window-behind-is-fine",
		Points: 4,
		Func:   "Watchable.Watch",
		Look:   []string{"Watchable.Watch", "Watchable.Commit"},
		Rule:   "A watcher that is behind by no more than Window changes is never cut off: it gets them all when it reads, and those after.",
		Why:    "A rollout changes a thousand pods in a second; a controller that pauses for a moment must not pay for it with a list of the cluster.",
		Hint: []string{
			"How much room does a watcher have in your code, and how much does the contract promise?",
			"Do not measure in time: measure in changes.",
		},
		Source: "apiserver pkg/storage/cacher/cache_watcher.go: cacheWatcher.input; apiserver pkg/storage/cacher/time_budget.go: timeBudget (a watcher has a buffer and a budget before it is dropped)",
		Contract: []string{
			"While it is behind by no more than Window it is never cut off.", "Commit never waits for a watcher and no watcher for another.",
			"A watcher is behind by the number of changes committed and not yet received from its ResultChan, including past changes that a watch from a version replays. Initial events and bookmarks do not count.",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, window := range []int{10, 1, 300} { // ten first: half a window is another number than one less
				unread(t, open(), window)
				justReceived(t, open(), window)
				s := start(t, open(), window)
				w := s.watch(t, from(1))
				for round := range 4 {
					before := s.version
					s.stride = 1 + uint64(round/2)*1000
					for range window {
						s.put(t.Actor, "a", "x")
						if round%2 == 0 {
							t.Wait()
						}
					}
					w.Expect(t, s.after(before, ""), "A watcher no more than a window behind was not brought every change.")
				}
				w.Stop()
			}
		},
	},
	{
		Name:   "history-is-bounded",
		Points: 5,
		Func:   "Watchable.Commit",
		Look:   []string{"Watchable.Commit", "Watchable.Watch", "Watchable.List"},
		Rule:   "However many changes there were, and however many watchers do not read, no more memory is held than the window, the objects and four windows for each watcher.",
		Why:    "An API server runs for months at ten thousand writes a minute. Anything it keeps of each write fills its memory.",
		Hint: []string{
			"Which of your slices, maps and channels only ever grow?",
			"Reslicing a slice does not release what was at its beginning; a ring overwrites it.",
			"A watcher that is cut off must release what it still had to deliver.",
		},
		Source: "apiserver pkg/storage/cacher/watch_cache_history.go: watchCacheHistory.capacity; kubernetes#105031: a popped slot of a queue kept gigabytes alive",
		Alone:  true,
		Long:   true,
		Contract: []string{
			"At least that many are kept, and at most twice as many.",
			"The Watchable never holds more than four times Window changes for one watcher, of whatever namespaces. No ResultChan has room for more than that and eight bookmarks, however small Window is.",
			"When all initial events have been received, the Watchable holds none of them for the watcher, even if the Bookmark after them still waits.",
			"In a Watchable that is in use, a caller that keeps an ended watch keeps no change alive that was committed after its end.",
			"Of an object that was deleted, and of its namespace, it keeps nothing but what is in those changes.",
		},
		Check: func(t *conform.T, open func() Subject) {
			const window, size, changes, limit = 16, 4 << 10, 1500, 2 << 20
			initialAreLetGo(t, open())
			namespacesAreForgotten(t, open(), true, false)
			namespacesAreForgotten(t, open(), true, true)
			namespacesAreForgotten(t, open(), false, false)
			changesAreLetGo(t, open())
			deletedAreLetGo(t, open())
			lastDeletedIsLetGo(t, open(), false)
			lastDeletedIsLetGo(t, open(), true)
			initialAreLetGoAtOnce(t, open())
			lastInitialIsLetGo(t, open(), false)
			lastInitialIsLetGo(t, open(), true)
			initialAreLetGoBeforeTheMark(t, open())
			for _, end := range ways {
				t.Virtual(func(t *conform.T) { endedKeepsNothing(t, open(), end) })
			}
			shownAreLetGo(t, open())
			receivedAreLetGo(t, open())
			src := open().New(kit.Pods, window, 0)
			waits := big(2, false, size)
			waits.Object.Namespace = "b"
			var deaf []stream
			for _, o := range []kit.ListOptions{{ResourceVersion: "1"}, {}, {Namespace: "b"}} {
				deaf = append(deaf, listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, o))
			}
			src.Commit(waits)
			t.Note("commits a change of namespace b, which waits in each of the watches")
			t.Wait()
			before := probe.Heap()
			call := t.Call("Commit of %d changes of namespace a", changes)
			for i := range changes { // 6 MB, unless they are let go of
				src.Commit(big(uint64(i)+3, i%2 == 1, size))
			}
			call.Returned("")
			t.Wait()
			held := probe.Growth(before, limit)
			t.Require(held < int64(limit), "%d changes of %d KiB were committed, with three watchers that are not read. %d KiB more than before are in use, where %d KiB may be: a few windows of %d changes. %s", changes, size>>10, held>>10, limit>>10, window, whoHolds(deaf))
			for _, w := range deaf {
				w.Stop()
				w.Rest()
			}
			list, err := src.List(t.Context(), kit.ListOptions{})
			t.Require(err == nil, "List failed: %v.", err)
			t.Require(list.ResourceVersion == from(changes+2).ResourceVersion, "The list has version %q, and the newest change has %d.", list.ResourceVersion, changes+2)
		},
	},
	{
		Name:   "ended-watches-are-forgotten",
		Points: 4,
		Func:   "Watchable.Watch",
		Rule:   "Of a watch that has ended, whatever has ended it, the Watchable keeps nothing, and nothing of one that was refused.",
		Why:    "Clients come and go all day. A registration that stays costs memory, and work for every write, for ever.",
		Hint: []string{
			"What takes a watcher off your list of watchers, and on which of its ends?",
			"One defer in the watcher's goroutine covers them all.",
		},
		Alone:  true,
		Source: "apiserver pkg/storage/cacher/cacher.go: forgetWatcher; kubernetes#6627: watch channels leaked",
		Contract: []string{
			"soon after TimeoutSeconds have passed since the call, unless that is 0",
			"After that the Watchable remembers nothing of the watch, and no goroutine of it is left, no timer, and nothing registered with its ctx (a derived context, an AfterFunc); nor does the Watchable still refer to ctx or to a value of it.",
			"A watch that was refused leaves nothing behind, however long its ctx goes on.",
		},
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 1)
			s.put(t.Actor, "a", "x")
			stop := func(all []kit.Watch[*kit.Pod], _ context.CancelFunc) {
				for _, w := range all {
					w.Stop()
				}
			}
			endsAreForgotten(t, s, kit.ListOptions{}, "Stop()", stop)
			endsAreForgotten(t, s, kit.ListOptions{TimeoutSeconds: 3600, AllowWatchBookmarks: true}, "Stop()", stop)
			endsAreForgotten(t, s, kit.ListOptions{Namespace: "a", SendInitialEvents: true, AllowWatchBookmarks: true}, "Stop()", stop)
			endsAreForgotten(t, s, kit.ListOptions{Namespace: "a"}, "Commit of a change, Stop()", func(all []kit.Watch[*kit.Pod], cancel context.CancelFunc) {
				s.put(&conform.Actor{}, "a", "x")
				stop(all, cancel)
			})
			endsAreForgotten(t, s, kit.ListOptions{}, "cancel()", func(_ []kit.Watch[*kit.Pod], cancel context.CancelFunc) { cancel() })
			endsAreForgotten(t, s, kit.ListOptions{Namespace: "a"}, "Commit of four windows of changes", func([]kit.Watch[*kit.Pod], context.CancelFunc) {
				for range 8 * s.window { // four are enough
					s.put(&conform.Actor{}, "a", "x")
				}
			})
			lost := kit.ListOptions{Namespace: "a", SendInitialEvents: true, AllowWatchBookmarks: true}
			endsAreForgotten(t, s, lost, "Commit of one change more than the window", func(all []kit.Watch[*kit.Pod], _ context.CancelFunc) {
				for range s.window + 1 {
					s.put(&conform.Actor{}, "a", "x")
				}
				for _, w := range all {
					untilLost(w, s.window+1)
				}
			})
			t.Virtual(func(t *conform.T) {
				s := start(t, open(), 1)
				s.put(t.Actor, "a", "x")
				w := s.watch(t, kit.ListOptions{TimeoutSeconds: 1})
				time.Sleep(time.Minute)
				_, closed := w.Ready(t)
				t.Require(closed, "A watch was asked for with TimeoutSeconds 1, a minute ago, and its ResultChan is still open.")
				endsAreForgotten(t, s, kit.ListOptions{TimeoutSeconds: 1}, "a second", func([]kit.Watch[*kit.Pod], context.CancelFunc) {})
			})
			refusedAreForgotten(t, s)
			manyAtOnce(t, s, false)
			manyAtOnce(t, s, true)
			lastIsForgotten(t, s)
			last := s.watch(t, from(s.version))
			s.put(t.Actor, "a", "x")
			e, _ := last.Next()
			listwatch.Same(t, s.after(s.version-1, ""), []string{listwatch.Show(e)}, "A watch that nothing has ended did not bring the next change.")
			last.Stop()
			last.Rest()
		},
	},
}

// endsAreForgotten begins and ends watches, all in one way, and looks at what is kept of them.
// They have one context, which goes on unless it is what ends them, and a namespace each if o has none. If
// o has no timeout, every other one has one that is still far when the watch ends.
// None of these calls is in the history by itself: they would fill it, and its memory would be counted.
func endsAreForgotten(t *conform.T, s *store, o kit.ListOptions, how string, end func(all []kit.Watch[*kit.Pod], cancel context.CancelFunc)) {
	const watches, batch, limit = 1200, 25, 1 << 17
	began := 0
	ctx, cancel := context.WithCancel(t.Context())
	defer func() { cancel() }() // only now: what ctx holds of a watch is kept
	timeouts := ""
	if o.TimeoutSeconds == 0 {
		timeouts = ", every other one for 3600 s"
	}
	turn := func(n int) {
		call := t.Call("%d times: Watch(%s)%s, %s, read until the ResultChan is closed", n, listwatch.Options(o), timeouts, how)
		for ; n > 0; n -= batch {
			if ctx.Err() != nil {
				ctx, cancel = context.WithCancel(t.Context())
			}
			all, newest := make([]kit.Watch[*kit.Pod], batch), from(s.version).ResourceVersion
			for i := range all {
				o := o
				o.ResourceVersion = newest
				if o.Namespace == "" {
					o.Namespace = "tenant-" + strconv.Itoa(began)
				}
				if began++; o.TimeoutSeconds == 0 && began%2 == 0 {
					o.TimeoutSeconds = 3600
				}
				var err error
				all[i], err = s.source.Watch(ctx, o)
				t.Require(err == nil, "A watch from the newest version, %d, was refused: %v.", s.version, err)
			}
			end(all, cancel)
			for _, w := range all {
				for range w.ResultChan() {
				}
			}
		}
		call.Returned("")
	}
	turn(watches / 4)        // what is kept for use again may stay
	s.put(t.Actor, "a", "x") // the last change until all have ended: a watch is not kept until the next
	before := probe.Heap()
	turn(watches)
	held := probe.Growth(before, limit)
	t.Require(held < int64(limit), "%d watches have begun, and %s has ended them. %d KiB more than before are in use, where %d KiB may be: something of each is kept, by the Watchable or by the context of its call, or of each that has a timeout that is still far, such as its timer.", watches, how, held>>10, limit>>10)
	s.put(t.Actor, "a", "x") // the Watchable itself was in use until now
}

// untilLost receives what a watch brings that is so many changes behind, up to the last of them or to
// the end, if it is cut off before that. Only a watch that goes on is stopped: of the others nothing is to be left
// without that.
func untilLost(w kit.Watch[*kit.Pod], changes int) {
	for e := range w.ResultChan() {
		if e.Type == kit.Modified {
			changes--
		}
		if changes == 0 { // it goes on
			w.Stop()
		}
	}
}

// manyAtOnce has many watches go on at once and stops them, the oldest or the newest first. What their contexts
// hold, and nothing else does, is then to be let go of.
func manyAtOnce(t *conform.T, s *store, newestFirst bool) {
	const watches = 200
	type held struct{ of int }
	type key struct{}
	var all []weak.Pointer[held]
	var watchers []weak.Pointer[byte]
	first := "oldest"
	if newestFirst {
		first = "newest"
	}
	call := t.Call("Watch %d times, each with a context of its own, and Stop() of each, the %s first", watches, first)
	t.Go("client", func(a *conform.Actor) { // whose stack is gone afterwards
		quiet := &conform.Actor{}
		var open []stream
		for i := range watches {
			h := &held{i}
			all = append(all, weak.Make(h))
			w, err := s.try(context.WithValue(t.Context(), key{}, h), quiet, from(s.version))
			if !t.Assert(err == nil, "A watch from the newest version, %d, was refused: %v.", s.version, err) {
				return
			}
			open = append(open, w)
			if v := reflect.ValueOf(w.Watch); v.Kind() == reflect.Pointer {
				watchers = append(watchers, weak.Make((*byte)(v.UnsafePointer())))
			}
		}
		if newestFirst {
			slices.Reverse(open)
		}
		for _, w := range open {
			w.As(quiet).Stop()
			w.As(quiet).Rest()
		}
	})
	t.Join()
	call.Returned("")
	s.put(t.Actor, "a", "x")
	t.Wait()
	alive := probe.AliveAbove(all, watches/10)
	t.Require(alive <= watches/10, "%d watches went on at once, and all of them were stopped, the %s first. What the contexts of %d of them hold is still kept: of a watch that has ended the Watchable remembers nothing.", watches, first, alive)
	alive = probe.AliveAbove(watchers, watches/10)
	t.Require(alive <= watches/10, "%d watches went on at once, and all of them were stopped, the %s first. What Watch returned for %d of them is still kept: of a watch that has ended the Watchable remembers nothing.", watches, first, alive)
	s.put(t.Actor, "a", "x") // the Watchable itself was in use until now
}

// keptEachTime reports whether each of some rounds leaves something alive. Something else may keep that
// for a while, but not each time.
func keptEachTime(rounds int, alive func() int) bool {
	for range rounds {
		if alive() == 0 {
			return false
		}
	}
	return true
}

// lastIsForgotten begins and stops one watch at a time, and looks each time for what its context held.
func lastIsForgotten(t *conform.T, s *store) {
	const rounds = 5
	type held [8]int
	type key struct{}
	kept := keptEachTime(rounds, func() int {
		var last []weak.Pointer[held]
		t.Go("client", func(a *conform.Actor) { // whose stack is gone afterwards
			h := &held{}
			last = append(last, weak.Make(h))
			w, err := s.try(context.WithValue(t.Context(), key{}, h), a, from(s.version))
			if !t.Assert(err == nil, "A watch from the newest version, %d, was refused: %v.", s.version, err) {
				return
			}
			w.As(a).Stop()
			w.As(a).Rest()
		})
		t.Join()
		return probe.Alive(last)
	})
	t.Require(!kept, "A watch was begun and stopped, %d times, and each time what its context holds was still kept: of a watch that has ended the Watchable remembers nothing.", rounds)
	s.put(t.Actor, "a", "x") // the Watchable itself was in use until now
}

// refusedAreForgotten asks for watches that must be refused, all with one context that goes on unless
// it is why, and looks at what is kept of them.
func refusedAreForgotten(t *conform.T, s *store) {
	const watches, limit = 1200, 1 << 17
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done, end := context.WithCancel(t.Context())
	end()
	ahead := from(s.version + 1).ResourceVersion
	for _, refused := range []struct {
		ctx context.Context
		o   kit.ListOptions
		why string
		is  func(error) bool
	}{
		{ctx, kit.ListOptions{ResourceVersion: ahead}, "its version lies ahead", kit.IsTooLargeResourceVersion},
		{ctx, kit.ListOptions{ResourceVersion: ahead, SendInitialEvents: true}, "its version lies ahead", kit.IsTooLargeResourceVersion},
		{ctx, kit.ListOptions{ResourceVersion: "1"}, "its version is too old", kit.IsResourceExpired},
		{ctx, kit.ListOptions{ResourceVersion: "x"}, "its version is no number", kit.IsInvalid},
		{done, kit.ListOptions{}, "its context is done", func(err error) bool { return err == context.Canceled }},
	} {
		turn := func(n int) {
			o := refused.o
			o.TimeoutSeconds, o.AllowWatchBookmarks = 3600, true
			call := t.Call("%d times: Watch(%s), to be refused because %s", n, listwatch.Options(o), refused.why)
			for range n {
				_, err := s.source.Watch(refused.ctx, o)
				t.Require(refused.is(err), "The store is at version %d: Watch(%s) must be refused because %s, %s.", s.version, listwatch.Options(o), refused.why, outcome(err))
			}
			call.Returned("")
		}
		turn(watches / 8)
		before := probe.Heap()
		turn(watches)
		held := probe.Growth(before, limit)
		t.Require(held < int64(limit), "%d watches were refused, each because %s. %d KiB more than before are in use, where %d KiB may be: something of each is kept, by the Watchable, by the context of its call or by a timer.", watches, refused.why, held>>10, limit>>10)
	}
	s.put(t.Actor, "a", "x") // the Watchable itself was in use until now
}

// initialAreLetGo reads the initial events of watches that go on, and has each of their
// objects change: of the old ones nothing is to be kept.
func initialAreLetGo(t *conform.T, subject Subject) {
	const window, objects = 16, 400
	src := subject.New(kit.Pods, window, 0)
	version := uint64(1)
	change := func(i int, what kit.EventType) weak.Pointer[kit.Pod] {
		version++
		e := big(version, false, 64)
		e.Type, e.Object.Name = what, fmt.Sprint(i)
		src.Commit(e)
		return weak.Make(e.Object)
	}
	var old []weak.Pointer[kit.Pod]
	for i := range objects {
		old = append(old, change(i, kit.Added))
	}
	t.Note("commits %d objects", objects)
	all := begun(t, src, "", objects, func(w stream) { <-w.Watch.ResultChan() })
	for i := range objects {
		change(i, kit.Modified)
		for _, w := range all {
			<-w.Watch.ResultChan()
		}
	}
	t.Wait()
	alive := probe.AliveAbove(old, objects/10)
	t.Require(alive <= objects/10, "Two watches have begun with %d objects, and all these events were received. Then each object was replaced by a new one, with a window of %d, and %d of the old ones are still kept.", objects, window, alive)
	for _, w := range all {
		w.Stop()
		w.Rest()
	}
}

// begun has two watches of a namespace begin with so many objects, and receives these. The second has the list
// streamed, and its bookmark is received, too.
func begun(t *conform.T, src Source, namespace string, objects int, receive func(stream)) []stream {
	var all []stream
	for _, list := range []bool{false, true} {
		o := kit.ListOptions{Namespace: namespace, SendInitialEvents: list, AllowWatchBookmarks: list}
		w := listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, o)
		for range objects {
			receive(w)
		}
		if list {
			w.Next()
		}
		all = append(all, w)
	}
	return all
}

// namespacesAreForgotten adds an object to each of many namespaces and deletes it, or many objects that are in none.
// A watch that goes on brings all that, or there is none.
func namespacesAreForgotten(t *conform.T, subject Subject, spaced, watched bool) {
	const objects, limit = 2200, 3 << 16
	long := strings.Repeat("x", 50) // whatever is kept by name is not small
	where := "in no namespace"
	if spaced {
		where = "in a namespace of its own"
	}
	src := subject.New(kit.Pods, 16, 0)
	arrived, by := func() {}, "by the Watchable"
	if watched {
		w := listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, kit.ListOptions{})
		defer w.Stop()
		arrived, by = func() { <-w.Watch.ResultChan() }, "by the Watchable or by the watch, which goes on and whose reader received each change at once"
	}
	turn := func(first, n int) {
		call := t.Call("Commit of %d objects and of the end of each, each %s", n, where)
		for i := first; i < first+n; i++ {
			for k := range 2 {
				e := big(uint64(2*i+k+2), k == 1, 8)
				e.Object.Namespace, e.Object.Name = "", long+"-object-"+strconv.Itoa(i)
				if spaced {
					e.Object.Namespace = long + "-tenant-" + strconv.Itoa(i)
				}
				src.Commit(e)
				arrived()
			}
		}
		call.Returned("")
	}
	turn(0, objects/8)
	before := probe.Heap()
	turn(objects/8, objects)
	held := probe.Growth(before, limit)
	t.Require(held < int64(limit), "%d objects were added and deleted, each %s, and %d KiB more than before are in use, where %d KiB may be: something of each object that was deleted is kept, or of its namespace, %s.", objects, where, held>>10, limit>>10, by)
	list, err := src.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil && len(list.Items) == 0, "All objects were deleted, and List brought %s and %s.", conform.Count(len(list.Items), "object"), conform.Said(err))
}

// changesAreLetGo counts how many of the objects that Commit got are kept. It allows twice what the
// contract does: a slice that grows may hold some more for a while.
func changesAreLetGo(t *conform.T, subject Subject) {
	const window, changes = 50, 600
	src := subject.New(kit.Pods, window, 0)
	var all []weak.Pointer[kit.Pod]
	call := t.Call("Commit, %d times", changes)
	for i := range changes {
		e := big(uint64(i)+2, false, 64)
		all = append(all, weak.Make(e.Object))
		src.Commit(e)
	}
	call.Returned("")
	alive := probe.AliveAbove(all, 4*window)
	t.Require(alive <= 4*window, "%d changes of one object were committed, with a window of %d and no watcher, and the objects of %d are still kept: at most twice the window of changes are.", changes, window, alive)
	_, err := src.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "List failed: %v.", err)
}

// deletedAreLetGo deletes many objects, the oldest first, and has more changes follow than are kept.
func deletedAreLetGo(t *conform.T, subject Subject) {
	const window, objects = 16, 200
	src := subject.New(kit.Pods, window, 0)
	version := uint64(1)
	commit := func(name string, deleted bool) weak.Pointer[kit.Pod] {
		version++
		e := big(version, deleted, 64)
		e.Object.Name = name
		src.Commit(e)
		return weak.Make(e.Object)
	}
	var all []weak.Pointer[kit.Pod]
	call := t.Call("Commit of %d objects and of the end of each, the oldest first, and of %d changes of another", objects, 4*window)
	for _, deleted := range []bool{false, true} {
		for i := range objects {
			all = append(all, commit(fmt.Sprint(i), deleted))
		}
	}
	for range 4 * window {
		commit("other", false)
	}
	call.Returned("")
	alive := probe.AliveAbove(all, objects/10)
	t.Require(alive <= objects/10, "%d objects were created and deleted, and then another one changed %d times, with a window of %d and no watcher. Commit was handed %d objects about those that are gone, and %d of them are still kept.", objects, 4*window, window, len(all), alive)
	_, err := src.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "List failed: %v.", err)
}

// lastDeletedIsLetGo deletes one object at a time, and looks each time for that when it has left the window. It is
// the last there is, or another one is there at all times.
func lastDeletedIsLetGo(t *conform.T, subject Subject, alone bool) {
	const window, rounds = 16, 5
	src := subject.New(kit.Pods, window, 0)
	version := uint64(1)
	commit := func(name string, deleted bool) weak.Pointer[kit.Pod] {
		version++
		e := big(version, deleted, 64)
		e.Object.Name = name
		src.Commit(e)
		return weak.Make(e.Object)
	}
	what := "Then another one, which was there before,"
	if alone {
		what = "It was the only one. Then another one came and"
	} else {
		commit("other", false)
	}
	t.Note("commits an object, its end and %d changes of another, up to %d times", 8*window, rounds)
	kept := keptEachTime(rounds, func() int {
		commit("x", false)
		last := []weak.Pointer[kit.Pod]{commit("x", true)}
		for range 8 * window {
			commit("other", false)
		}
		alive := probe.Alive(last)
		if alone {
			commit("other", true)
		}
		return alive
	})
	t.Require(!kept, "An object was deleted. %s changed %d times, with a window of %d and no watcher. That was done %d times, and each time the deleted object was still kept.", what, 8*window, window, rounds)
	_, err := src.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "List failed: %v.", err)
}

// initialAreLetGoAtOnce reads the initial events of watches, and nothing after them.
func initialAreLetGoAtOnce(t *conform.T, subject Subject) {
	const window, objects = 16, 12
	src := subject.New(kit.Pods, window, 0)
	version := uint64(1)
	commit := func(namespace, name string, what kit.EventType) weak.Pointer[kit.Pod] {
		version++
		e := big(version, false, 64)
		e.Type, e.Object.Namespace, e.Object.Name = what, namespace, name
		src.Commit(e)
		return weak.Make(e.Object)
	}
	var old []weak.Pointer[kit.Pod]
	for i := range objects {
		old = append(old, commit("a", fmt.Sprint(i), kit.Added))
	}
	for i := range 8 * window {
		commit("b", fmt.Sprint(i), kit.Added)
	}
	t.Note("commits %d objects of namespace a, and %d of namespace b", objects, 8*window)
	all := begun(t, src, "a", objects, func(w stream) { w.Next() })
	ended := listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, kit.ListOptions{Namespace: "a", SendInitialEvents: true, AllowWatchBookmarks: true})
	for range objects { // and then the end of them waits
		ended.Next()
	}
	all = append(all, ended)
	for i := range objects {
		commit("a", fmt.Sprint(i), kit.Modified)
	}
	t.Note("commits a change of each object of namespace a")
	t.Wait()
	alive := probe.AliveAbove(old, objects/4)
	t.Require(alive <= objects/4, "Three watches have begun with %d objects, and all these events were received, but not the bookmark after them in the third. Then each object was replaced by a new one, which no reader has received yet, with a window of %d, and %d of the old ones are still kept.", objects, window, alive)
	for _, w := range all {
		w.Stop()
		w.Rest()
	}
}

// receivedAreLetGo has a reader receive each change at once, and counts how many of the objects that
// Commit got are kept. It allows one window more than the contract does.
func receivedAreLetGo(t *conform.T, subject Subject) {
	const window, windows = 50, 16
	src := subject.New(kit.Pods, window, 0)
	w := listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, from(1))
	t.Note("commits %d changes, of which the watch's reader receives each at once", windows*window)
	var all []weak.Pointer[kit.Pod]
	for i := range windows * window {
		e := big(uint64(i)+2, false, 64)
		e.Object.Name = "x"
		all = append(all, weak.Make(e.Object))
		src.Commit(e)
		<-w.Watch.ResultChan()
		if (i+1)%(4*window) > 0 {
			continue
		}
		t.Wait()
		alive := probe.AliveAbove(all, 7*window)
		t.Require(alive <= 7*window, "%d changes of one object were committed, with a window of %d, and a reader received each at once. The objects of %d are still kept: at most two windows are remembered, and four are held for one watcher.", i+1, window, alive)
	}
	w.Stop()
	w.Rest()
}

// exactlyFour brings watchers that are not read to four windows behind, and not further.
func exactlyFour(t *conform.T, subject Subject, window int, slowly bool) {
	s := start(t, subject, window)
	quiet := &conform.Actor{}
	for i := range 5 * window {
		s.put(quiet, "a", fmt.Sprint(i))
	}
	t.Note("%d objects have been committed, a/0 and so on", 5*window)
	fresh, marked := s.version, from(s.version)
	marked.AllowWatchBookmarks = true
	all := []stream{s.watch(t, from(fresh)), s.watch(t, kit.ListOptions{}), s.watch(t, marked)}
	replayed := s.watch(t, from(fresh-1))
	replayed.Next()
	ended := s.watch(t, kit.ListOptions{SendInitialEvents: true, AllowWatchBookmarks: true})
	for range s.pods { // and then the end of them waits
		<-ended.Watch.ResultChan()
	}
	t.Note("receives the %d initial events of the watch list, and not the bookmark after them", len(s.pods))
	all = append(all, replayed, ended)
	waits := []string{"a change", "an initial event", "a bookmark", "a change that is replayed", "the bookmark that ends the initial events"}
	time.Sleep(2 * time.Minute) // a bookmark waits to be received
	for range 4 * window {
		s.put(quiet, "a", "x")
		if slowly {
			t.Wait()
		}
	}
	t.Note("%d changes of a/x have been committed", 4*window)
	for i, w := range all {
		got := listwatch.Texts(slices.DeleteFunc(cutOff(t, w, window, waits[i]), func(e kit.Event[*kit.Pod]) bool {
			if e.Object == nil {
				return false
			}
			n, _ := strconv.ParseUint(e.Object.ResourceVersion, 10, 64)
			return e.Type == kit.Bookmark || n <= fresh // the objects there were
		}))
		listwatch.Same(t, s.after(fresh, "")[:min(len(got), 4*window)], got, "A watch that was cut off at four windows brought changes with a gap between them.")
	}
}

// cutOff requires that a watcher who is four windows behind has been cut off before anybody came
// to read, and returns what could be received: what lay in the channel when it was closed. waits is what the reader
// would receive first.
func cutOff(t *conform.T, w stream, window int, waits string) []kit.Event[*kit.Pod] {
	t.Wait()
	held := len(w.Watch.ResultChan())
	events, closed := w.Ready(t)
	if !closed {
		t.Fatalf("A watcher is %d changes behind, with a window of %d, while %s waits for its reader, and was not ended: %d events could be received, and its ResultChan is still open. At four windows it is certainly cut off.", 4*window, window, waits, len(events))
	}
	t.Require(len(events) <= held, "A watcher is %d changes behind, with a window of %d, while %s waits for its reader. %d events lay in its ResultChan and the reader received %d, so it was not closed yet: at four windows it is closed at once, whether anybody reads from it or not.",
		4*window, window, waits, held, len(events))
	return events
}

// justReceived commits a change whenever a reader, who is a window behind, has just received one.
func justReceived(t *conform.T, subject Subject, window int) {
	const rounds = 40
	s := start(t, subject, window)
	w := s.watch(t, from(1))
	s.puts(t.Actor, window, "a", "x")
	t.Note("receives a change and commits one at once, %d times", rounds)
	quiet := &conform.Actor{}
	for i := range rounds {
		e, ok := next(t, w, s.log[i].String())
		s.put(quiet, "a", "x")
		t.Require(ok, "A watcher was cut off that has never been more than %d changes behind, with a window of %d: its reader received one before each Commit, %d of them so far. One that is no more than a window behind is never cut off.", window, window, i)
		listwatch.Same(t, []string{s.log[i].String()}, []string{listwatch.Show(e)}, "The watch did not bring the changes in order.")
	}
	w.Expect(t, s.after(s.log[rounds-1].version, ""), "A watcher no more than a window behind was not brought every change.")
	w.Stop()
}

// next receives what there is to receive now, and that must be something.
func next(t *conform.T, w stream, due string) (e kit.Event[*kit.Pod], open bool) {
	t.Wait()
	select {
	case e, open = <-w.Watch.ResultChan():
		return e, open
	default:
		t.Fatalf("A change was committed, %s, and its watch sleeps on: a reader is ready, and there is nothing to receive. A change is sent as soon as it has been committed and the reader has room for it.", due)
	}
	panic("unreachable")
}

// anyNumber has many watchers at once, of which each gets what is committed.
func anyNumber(t *conform.T, subject Subject) {
	const watchers = 1200
	s := start(t, subject, 2)
	call := t.Call("Watch, %d times", watchers)
	quiet := &conform.Actor{}
	var all []stream
	for range watchers {
		w, err := s.try(t.Context(), quiet, from(1))
		t.Require(err == nil, "A watch from the newest version was refused: %v.", err)
		all = append(all, w)
	}
	call.Returned("")
	t.Note("commits %d changes of a/x", s.window)
	for range s.window {
		s.put(quiet, "a", "x")
	}
	for _, c := range s.log {
		t.Wait()
		want := c.String()
		for i, w := range all {
			select {
			case e, ok := <-w.Watch.ResultChan():
				if !ok || listwatch.Show(e) != want {
					t.Fatalf("%d watches go on, and the one that began as number %d brought %s where %s was due, or was closed.", watchers, i+1, listwatch.Show(e), want)
				}
			default:
				t.Fatalf("%d watches go on, %s was committed, and the one that began as number %d did not bring it.", watchers, want, i+1)
			}
		}
	}
	for _, w := range all {
		w.As(quiet).Stop()
	}
}

// unread leaves initial events and bookmarks unread, more than four windows of them, and
// then as many changes as a watcher may be behind.
func unread(t *conform.T, subject Subject, window int) {
	s := start(t, subject, window)
	for i := range min(5*window, 50) {
		s.put(&conform.Actor{}, "a", fmt.Sprint(i))
	}
	marked := from(s.version)
	marked.AllowWatchBookmarks = true
	initial, before := s.state(""), s.version
	all := []stream{s.watch(t, kit.ListOptions{}), s.watch(t, marked)}
	time.Sleep(100 * time.Minute)
	s.puts(t.Actor, window, "a", "0")
	for i, w := range all {
		events, closed := w.Ready(t)
		t.Require(!closed, "A watcher was cut off that was %s behind, with a window of %d, while %s waited for its reader: those do not count.", conform.Count(window, "change"), window, []string{"initial events", "bookmarks"}[i])
		got := listwatch.Texts(slices.DeleteFunc(events, func(e kit.Event[*kit.Pod]) bool { return e.Type == kit.Bookmark }))
		if i == 0 {
			n := min(len(initial), len(got))
			listwatch.SameSet(t, initial, got[:n], "A watch did not begin with an Added for each object there was.")
			got = got[n:]
		}
		listwatch.Same(t, s.after(before, ""), got, "A watcher was no more than a window of changes behind, whatever initial events or bookmarks waited for its reader, and was not brought each change.")
		w.Stop()
	}
}

// big is a change of one pod with the given number of bytes of its own.
func big(version uint64, deleted bool, size int) kit.Event[*kit.Pod] {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.ResourceVersion = "a", "x", strconv.FormatUint(version, 10)
	p.Annotations = map[string]string{"load": strings.Repeat("x", size)}
	if deleted {
		return kit.Event[*kit.Pod]{Type: kit.Deleted, Object: p}
	}
	return kit.Event[*kit.Pod]{Type: kit.Added, Object: p}
}
