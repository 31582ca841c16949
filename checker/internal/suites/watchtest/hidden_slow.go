package watchtest

import (
	"context"
	"fmt"
	"strings"

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
			"While it is behind by no more than Window it is never cut off.",
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
			"A watcher that falls further behind may be cut off, and is for certain at four times Window, changes of other namespaces aside: its ResultChan is closed, whether anybody reads from it or not, without an Error event and without a gap",
			"So the Watchable never holds more than four times Window changes for one watcher, its initial events aside",
		},
		Mode: conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			const window = 16
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

			// Ended, and nobody reads, stops or cancels it: what is left of it is a leak.
			_, err := s.try(context.WithoutCancel(t.Context()), t.Actor, from(s.version))
			t.Require(err == nil, "A watch from the newest version was refused: %v.", err)
			s.puts(t.Actor, 20*window, "a", "x")
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
		Source:   "apiserver pkg/storage/cacher/cache_watcher.go: cacheWatcher.input; apiserver pkg/storage/cacher/time_budget.go: timeBudget (a watcher has a buffer and a budget before it is dropped)",
		Contract: []string{"While it is behind by no more than Window it is never cut off.", "Commit never waits for a watcher and no watcher for another."},
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			for _, window := range []int{10, 1, 300} { // ten first: half a window is another number than one less
				s := start(t, open(), window)
				w := s.watch(t, from(1))
				for round := range 4 {
					before := s.version
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
		Rule:   "However many changes there were, and however many watchers do not read, no more memory is held than the window, the objects and four windows for each watcher.",
		Why:    "An API server runs for months at ten thousand writes a minute. Anything it keeps of each write fills its memory.",
		Hint: []string{
			"Which of your slices, maps and channels only ever grow?",
			"Reslicing a slice does not release what was at its beginning; a ring overwrites it.",
			"A watcher that is cut off must release what it still had to deliver.",
		},
		Source: "apiserver pkg/storage/cacher/watch_cache_history.go: watchCacheHistory.capacity; kubernetes#105031: a popped slot of a queue kept gigabytes alive",
		Alone:  true,
		Contract: []string{
			"At least that many are kept, and at most twice as many.",
			"So the Watchable never holds more than four times Window changes for one watcher, its initial events aside",
		},
		Check: func(t *conform.T, open func() Subject) {
			const window, size, limit = 16, 4 << 10, 6 << 20
			src := open().New(window, 0)
			var deaf []stream
			for _, o := range []kit.ListOptions{{ResourceVersion: "1"}, {}, {Namespace: "b"}} {
				deaf = append(deaf, listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, o))
			}
			before := probe.Heap()
			call := t.Call("Commit, 5000 times")
			for i := range 5000 { // 20 MB, unless they are let go of
				src.Commit(big(uint64(i)+2, i%2 == 1, size))
			}
			call.Returned("")
			t.Wait()
			held := probe.Growth(before, limit)
			t.Require(held < int64(limit), "5000 changes of %d KiB were committed, with three watchers that are not read, and %d KiB more than before are in use, where %d KiB may be: a few windows of %d changes.", size>>10, held>>10, limit>>10, window)
			for _, w := range deaf {
				w.Stop()
				w.Rest()
			}
			list, err := src.List(t.Context(), kit.ListOptions{})
			t.Require(err == nil, "List failed: %v.", err)
			t.Require(list.ResourceVersion == "5001", "The list has version %q, and the newest change has 5001.", list.ResourceVersion)
		},
	},
	{
		Name:   "ended-watches-are-forgotten",
		Points: 4,
		Func:   "Watchable.Watch",
		Rule:   "Of a watch that has ended, by Stop or by its context, the Watchable keeps nothing, and nothing of one that was refused.",
		Why:    "Clients come and go all day. A registration that stays costs memory, and work for every write, for ever.",
		Hint: []string{
			"What takes a watcher off your list of watchers, and on which of its ends?",
			"One defer in the watcher's goroutine covers them all.",
		},
		Alone:  true,
		Source: "apiserver pkg/storage/cacher/cacher.go: forgetWatcher; kubernetes#6627: watch channels leaked",
		Contract: []string{
			"After that the Watchable remembers nothing of the watch, and no goroutine of it is left.",
			"Nothing is left of a watch that was refused, either, however long its ctx goes on.",
		},
		Check: func(t *conform.T, open func() Subject) {
			s := start(t, open(), 16)
			s.put(t.Actor, "a", "x")
			endsAreForgotten(t, s, "Stop()", func(w stream, _ context.CancelFunc) { w.Stop() })
			endsAreForgotten(t, s, "cancel()", func(_ stream, cancel context.CancelFunc) { cancel() })
			refusedAreForgotten(t, s)
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
func endsAreForgotten(t *conform.T, s *store, how string, end func(w stream, cancel context.CancelFunc)) {
	const watches, limit = 2000, 1 << 18
	turn := func(n int) {
		call := t.Call("%d times: Watch, %s, read until the ResultChan is closed", n, how)
		quiet := &conform.Actor{} // so many calls would fill the history
		for i := range n {
			ctx, cancel := context.WithCancel(t.Context())
			w, err := s.try(ctx, quiet, from(s.version))
			t.Require(err == nil, "A watch from the newest version, %d, was refused: %v.", s.version, err)
			end(w, cancel)
			w.Rest()
			cancel()
			if i%500 == 0 {
				s.put(quiet, "a", "x")
			}
		}
		call.Returned("")
	}
	turn(watches / 8) // what is kept for use again may stay
	before := probe.Heap()
	turn(watches)
	held := probe.Growth(before, limit)
	t.Require(held < int64(limit), "%d watches have begun, and %s has ended them. %d KiB more than before are in use, where %d KiB may be: something of each is kept.", watches, how, held>>10, limit>>10)
}

// refusedAreForgotten asks for watches that must be refused, all with one context that goes on,
// and looks at what is kept of them.
func refusedAreForgotten(t *conform.T, s *store) {
	const watches, limit = 4000, 1 << 18
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	turn := func(n int) {
		call := t.Call("%d times: Watch from version %d, which lies ahead, with a context that goes on", n, s.version+1)
		quiet := &conform.Actor{}
		for range n {
			_, err := s.try(ctx, quiet, from(s.version+1))
			t.Require(kit.IsTooLargeResourceVersion(err), "The store is at version %d: a watch from version %d must be refused as too large, %s.", s.version, s.version+1, outcome(err))
		}
		call.Returned("")
	}
	turn(watches / 8)
	before := probe.Heap()
	turn(watches)
	held := probe.Growth(before, limit)
	t.Require(held < int64(limit), "%d watches were refused. %d KiB more than before are in use, where %d KiB may be: something of each is kept, perhaps by the context of its call, which has not ended.", watches, held>>10, limit>>10)
}

// big is a change of one pod with the given number of bytes of its own.
func big(version uint64, deleted bool, size int) kit.Event[*kit.Pod] {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.ResourceVersion = "a", "x", fmt.Sprint(version)
	p.Annotations = map[string]string{"load": strings.Repeat("x", size)}
	if deleted {
		return kit.Event[*kit.Pod]{Type: kit.Deleted, Object: p}
	}
	return kit.Event[*kit.Pod]{Type: kit.Added, Object: p}
}
