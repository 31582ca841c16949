package watchtest

import (
	"context"
	"fmt"
	"strconv"
	"time"
	"weak"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// lastInitialIsLetGo has a watch begin with a single object, and looks for that when it has been replaced. The list
// is streamed or not.
func lastInitialIsLetGo(t *conform.T, subject Subject, list bool) {
	const window, changes, rounds = 1, 8, 5
	src := subject.New(kit.Pods, window, 0)
	version := uint64(1)
	commit := func(what kit.EventType) weak.Pointer[kit.Pod] {
		version++
		e := big(version, false, 64)
		e.Type = what
		src.Commit(e)
		return weak.Make(e.Object)
	}
	t.Note("commits an object, begins a watch, and commits %d changes of the object, up to %d times; receives each event at once", changes, rounds)
	kept := keptEachTime(rounds, func() int {
		first := []weak.Pointer[kit.Pod]{commit(kit.Added)}
		w := listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, kit.ListOptions{SendInitialEvents: list, AllowWatchBookmarks: list})
		w.Next()
		if list {
			w.Next() // the end of the initial events
		}
		for range changes {
			commit(kit.Modified)
			<-w.Watch.ResultChan()
		}
		t.Wait()
		alive := probe.Alive(first)
		w.Stop()
		w.Rest()
		commit(kit.Deleted)
		return alive
	})
	t.Require(!kept, "A watch began with one object. The object was replaced %d times, with a window of %d, and the reader received each event at once. That was done %d times, and each time the object that the watch began with was still kept: when the initial events have been received, none of them is held.", changes, window, rounds)
	_, err := src.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "List failed: %v.", err)
}

// shownAreLetGo deletes objects that a list and a watch have shown.
func shownAreLetGo(t *conform.T, subject Subject) {
	const window, objects, size, limit = 4, 64, 16 << 10, 1 << 18
	src := subject.New(kit.Pods, window, 0)
	version := uint64(1)
	commit := func(what kit.EventType, name string, size int) {
		version++
		e := big(version, false, size)
		e.Type, e.Object.Name = what, name
		src.Commit(e)
	}
	all := func(what kit.EventType, size int) {
		for i := range objects {
			commit(what, strconv.Itoa(i), size)
		}
	}
	before := probe.Heap()
	t.Note("commits %d objects of %d KiB, lists them, begins a watch with them, reads that and stops it", objects, size>>10)
	all(kit.Added, size)
	for _, ns := range []string{"", "a"} {
		list, err := src.List(t.Context(), kit.ListOptions{Namespace: ns})
		t.Require(err == nil && len(list.Items) == objects, "There are %d objects, and List brought %d of them and %s.", objects, len(list.Items), conform.Said(err))
	}
	w := listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, kit.ListOptions{})
	for range objects {
		<-w.Watch.ResultChan()
	}
	w.Stop()
	w.Rest()
	t.Note("deletes them, and commits %d changes of another", 4*window)
	all(kit.Deleted, 8)
	commit(kit.Added, "other", 8)
	for range 4 * window {
		commit(kit.Modified, "other", 8)
	}
	held := probe.Growth(before, limit)
	t.Require(held < int64(limit), "%d objects of %d KiB were committed, shown by List and by a watch that was stopped, and deleted. Then another one changed %d times, with a window of %d. %d KiB more than before are in use, where %d KiB may be: of an object that was deleted something is kept, such as what List returned last.", objects, size>>10, 4*window, window, held>>10, limit>>10)
	_, err := src.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "List failed: %v.", err)
}

// initialAreLetGoBeforeTheMark has a watch list begin with a single object, receives it, and leaves the bookmark after
// it. The object has left the window before that, and is replaced then.
func initialAreLetGoBeforeTheMark(t *conform.T, subject Subject) {
	const window, rounds = 2, 5
	src := subject.New(kit.Pods, window, 0)
	version := uint64(1)
	commit := func(what kit.EventType, namespace string) weak.Pointer[kit.Pod] {
		version++
		e := big(version, false, 64)
		e.Type, e.Object.Namespace = what, namespace
		src.Commit(e)
		return weak.Make(e.Object)
	}
	commit(kit.Added, "b")
	t.Note("commits an object of namespace a and %d changes of namespace b, begins a watch list of namespace a and receives the object, and commits a change of it, up to %d times", 8*window, rounds)
	kept := keptEachTime(rounds, func() int {
		first := []weak.Pointer[kit.Pod]{commit(kit.Added, "a")}
		for range 8 * window {
			commit(kit.Modified, "b")
		}
		w := listwatch.Client[*kit.Pod]{Subject: src}.Watch(t.Context(), t, kit.ListOptions{Namespace: "a", SendInitialEvents: true, AllowWatchBookmarks: true})
		w.Next()
		t.Wait()
		commit(kit.Modified, "a")
		alive := probe.Alive(first)
		w.Stop()
		w.Rest()
		commit(kit.Deleted, "a")
		return alive
	})
	t.Require(!kept, "A watch list began with one object, and its reader received that, but not the bookmark after it. The object was replaced. That was done %d times, and each time the object that the watch began with was still kept: when all initial events have been received, the Watchable holds none of them, even if the Bookmark after them still waits.", rounds)
	_, err := src.List(t.Context(), kit.ListOptions{})
	t.Require(err == nil, "List failed: %v.", err)
}

// way is one in which a watch may end.
type way struct {
	how string
	end func(w stream, cancel context.CancelFunc, commit func())
}

var ways = []way{
	{"a call of Stop", func(w stream, _ context.CancelFunc, _ func()) { w.Stop() }},
	{"the end of its ctx", func(_ stream, cancel context.CancelFunc, _ func()) { cancel() }},
	{"its timeout", func(stream, context.CancelFunc, func()) { time.Sleep(time.Hour) }},
	{"its being cut off", func(_ stream, _ context.CancelFunc, commit func()) {
		for range 8 * keptWindow { // four windows are enough
			commit()
		}
	}},
}

const keptWindow = 16

// endedKeepsNothing ends a watch whose reader has received something, and counts what is kept of the changes after
// that while the caller still has the watch.
func endedKeepsNothing(t *conform.T, subject Subject, of way) {
	const size, changes, limit = 4 << 10, 250, 512 << 10
	src := subject.New(kit.Pods, keptWindow, 0)
	version := uint64(1)
	commit := func() {
		version++
		src.Commit(big(version, false, size))
	}
	commit()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var all []stream
	for _, o := range []kit.ListOptions{{}, {ResourceVersion: "1"}, {Namespace: "a", SendInitialEvents: true, AllowWatchBookmarks: true}} {
		o.TimeoutSeconds = 3600
		w, err := listwatch.Client[*kit.Pod]{Subject: src}.Try(ctx, t.Actor, o)
		t.Require(err == nil, "A watch that has no reason to be refused was refused: %v.", err)
		all = append(all, w)
	}
	t.Note("commits a change, receives what there is, and commits some more after the watches have ended: the reason is %s", of.how)
	commit()
	for _, w := range all {
		w.Ready(t)
	}
	for _, w := range all {
		of.end(w, cancel, commit)
	}
	for _, w := range all {
		w.Rest()
	}
	before := probe.Heap()
	for range changes {
		commit()
	}
	held := probe.Growth(before, limit)
	t.Require(held < limit, "Three watches brought something and then ended: the reason was %s. Their caller still has them. Then %d changes of %d KiB were committed, with a window of %d, and %d KiB more than before are in use, where %d KiB may be. A caller that keeps an ended watch keeps no change alive that was committed after its end.", of.how, changes, size>>10, keptWindow, held>>10, int64(limit)>>10)
	for _, w := range all { // the caller has had them until now
		w.Stop()
	}
	commit()
}

// whoHolds says whether watches that are not read were cut off, and what may be held for them then.
func whoHolds(deaf []stream) string {
	for i, w := range deaf {
		if !over(w) {
			return fmt.Sprintf("Watch number %d of them is still open: the Watchable never holds more than four times Window changes for one watcher, of whatever namespaces.", i+1)
		}
	}
	return "All of them were cut off: a caller that keeps an ended watch keeps no change alive that was committed after its end."
}

// over reports whether a ResultChan is closed behind what can be received now.
func over(w stream) bool {
	for {
		select {
		case _, ok := <-w.Watch.ResultChan():
			if !ok {
				return true
			}
		default:
			return false
		}
	}
}
