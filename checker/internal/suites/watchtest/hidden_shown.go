package watchtest

import (
	"strconv"
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
