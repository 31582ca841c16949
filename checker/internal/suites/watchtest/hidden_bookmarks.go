package watchtest

import (
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// unasked has watches that did not ask for bookmarks go on for some periods: a plain one and a watch list.
func (s *store) unasked(t *conform.T, every time.Duration) {
	o := kit.ListOptions{Namespace: "quiet", ResourceVersion: "1"}
	plain := s.watch(t, o)
	o.SendInitialEvents = true
	bare := s.watch(t, o)
	bare.Ready(t) // the end of its initial events, if it has one
	t.Note("nothing is committed for %v", 3*every)
	time.Sleep(3 * every)
	for i, w := range []stream{plain, bare} {
		events, closed := w.Ready(t)
		what := []string{"watch", "watch list"}[i]
		t.Require(len(events) == 0, "A %s that did not ask for bookmarks brought %v. Nothing was committed: that is one of those that come about every BookmarkEvery, here %v.", what, listwatch.Texts(events), every)
		t.Require(!closed, "A %s ended although nothing has ended it.", what)
		w.Stop()
	}
}

// quietly reads the bookmarks of watches of a store in which nothing happens any longer.
func quietly(t *conform.T, subject Subject, every time.Duration) {
	s := startWith(t, subject, 64, every)
	seen := s.put(t.Actor, "b", "y")
	s.put(t.Actor, "a", "z")
	for _, o := range []kit.ListOptions{
		{Namespace: "b", ResourceVersion: strconv.FormatUint(seen, 10)},
		{Namespace: "c"},
		{Namespace: "c", SendInitialEvents: true},
		{Namespace: "c", SendInitialEvents: true, ResourceVersion: strconv.FormatUint(seen, 10)},
	} {
		o.AllowWatchBookmarks = true
		w := s.watch(t, o)
		last, at := uint64(1), time.Duration(0)
		if o.SendInitialEvents {
			last = s.version // of the bookmark that is due
			e, _ := w.Next()
			end := listwatch.Show(kit.Event[*kit.Pod]{Type: kit.Bookmark, Object: mark(s.version)})
			t.Require(listwatch.Show(e) == end, "A watch list of a namespace without objects began with %s, and %s was due.", listwatch.Show(e), end)
		} else {
			events, _ := w.Ready(t)
			t.Require(len(events) == 0, "A watch with nothing to deliver brought %v at the moment at which it began: the first bookmark does not come at once.", listwatch.Texts(events))
		}
		for i := range 5 {
			last = s.bookmark(t, receive(t, w, every), last)
			if i > 0 { // the first may come at once
				t.Require(last == s.version, "A bookmark has version %d. The store has long been at %d, and nothing was left to deliver: the version moves on with changes in other namespaces.", last, s.version)
				t.Require(t.Elapsed()-at >= every/2, "With BookmarkEvery of %v there were %v between two bookmarks, and there is at least half a period.", every, t.Elapsed()-at)
			}
			at = t.Elapsed()
		}
		w.Stop()
	}
}

// busily has changes wait for a reader now and then while a bookmark is due. It takes each of
// them soon enough to keep up.
func busily(t *conform.T, subject Subject, every time.Duration) {
	const rounds = 12
	s := startWith(t, subject, 64, every)
	o := from(1)
	o.AllowWatchBookmarks = true
	w := s.watch(t, o)
	t.Go("writer", func(a *conform.Actor) {
		a.Note("commits two changes of a/x at once, and that %d times, with %v between", rounds, every)
		time.Sleep(every * 3 / 4)
		for range rounds {
			s.puts(&conform.Actor{}, 2, "a", "x")
			time.Sleep(every)
		}
	})
	pause := every * 3 / 10
	t.Note("takes %v for each of them, so none waits for half a period", pause)
	last, since := uint64(1), t.Elapsed()
	for changes := 0; changes < 2*rounds; {
		e, ok := w.Next()
		t.Require(ok, "The watch ended although nothing has ended it.")
		t.Require(t.Elapsed()-since <= 2*every+pause, "For %v no bookmark came, and BookmarkEvery is %v. The reader keeps up: no event waited for it as long as half a period. So there is at least one bookmark in any two periods.", t.Elapsed()-since, every)
		last = s.see(t, e, last)
		if e.Type == kit.Bookmark {
			since = t.Elapsed()
			continue
		}
		changes++
		time.Sleep(pause)
	}
	t.Join()
	w.Stop()
}

// alwaysBehind has a reader that keeps up, and for whom three changes wait at any time.
func alwaysBehind(t *conform.T, subject Subject, every time.Duration) {
	s := startWith(t, subject, 64, every)
	o := from(1)
	o.AllowWatchBookmarks = true
	w := s.watch(t, o)
	s.puts(t.Actor, 3, "a", "x")
	t.Note("commits a change of a/x each %v and takes one: three wait at any time, and none of them for half a period", every/10)
	const slack = 2 // a bookmark may wait behind the three changes
	quiet := &conform.Actor{}
	last, since := uint64(1), t.Elapsed()
	for range 80 {
		time.Sleep(every / 10)
		s.put(quiet, "a", "x")
		for came := false; !came; {
			e, ok := w.Next()
			t.Require(ok, "The watch ended although nothing has ended it.")
			t.Require(t.Elapsed()-since <= 2*every+every/slack, "For %v no bookmark came, and BookmarkEvery is %v. The reader keeps up: no event waited for it as long as half a period, though there was always one. So there is at least one bookmark in any two periods.", t.Elapsed()-since, every)
			last = s.see(t, e, last)
			if came = e.Type != kit.Bookmark; !came {
				since = t.Elapsed()
			}
		}
	}
	t.Require(last > 1, "For %v a reader received a change each %v, with three more waiting, and every bookmark had version 1, at which the watch began: the version moves on, up to what has been delivered.", 8*every, every/10)
	w.Stop()
}

// outpaced has changes wait for a reader to whom a bookmark is due whenever it takes an event.
func outpaced(t *conform.T, subject Subject, every time.Duration) {
	const changes, bookmarks = 150, 50 // more than a buffer holds; and so many in a row are no coincidence
	s := startWith(t, subject, 2*changes, every)
	o := from(1)
	o.AllowWatchBookmarks = true
	w := s.watch(t, o)
	s.puts(t.Actor, changes, "a", "x")
	t.Note("takes an event each %v", 3*every)
	quiet := &conform.Actor{}
	last, since := uint64(1), 0
	for n := 0; n < changes; {
		time.Sleep(3 * every)
		e, ok := w.As(quiet).Next()
		t.Require(ok, "The watch ended although nothing has ended it.")
		last = s.see(t, e, last)
		if e.Type != kit.Bookmark {
			n, since = n+1, 0
			continue
		}
		since++
		t.Require(since < bookmarks, "%s waits for its reader, and the last %d events of its watch were bookmarks. BookmarkEvery is %v, and the reader takes an event each %v. A change is sent as soon as it has been committed and the reader has room for it: bookmarks do not crowd it out.", s.log[n], since, every, 3*every)
	}
	w.Stop()
}

// initially has a bookmark fall due while a reader is still taking the initial events.
func initially(t *conform.T, subject Subject, every time.Duration) {
	s := startWith(t, subject, 64, every)
	const objects = 10
	for i := range objects {
		s.put(t.Actor, "a", strconv.Itoa(i))
	}
	w := s.watch(t, kit.ListOptions{AllowWatchBookmarks: true})
	t.Note("takes %v for each event", every*3/10)
	s.follow(t, w, objects, every*3/10)
	w.Stop()
	for _, version := range []string{"", "2"} {
		w = s.watch(t, kit.ListOptions{ResourceVersion: version, SendInitialEvents: true, AllowWatchBookmarks: true})
		for range objects {
			e, ok := w.Next()
			t.Require(ok, "The watch ended although nothing has ended it.")
			t.Require(e.Type == kit.Added, "A watch list brought %s before the last of its initial events: bookmarks come after them.", listwatch.Show(e))
			time.Sleep(every * 3 / 10)
		}
		e, _ := w.Next()
		end := listwatch.Show(kit.Event[*kit.Pod]{Type: kit.Bookmark, Object: mark(s.version)})
		t.Require(listwatch.Show(e) == end, "A watch list brought its initial events while a bookmark was due, and %s came where %s was due: the others come after that.", listwatch.Show(e), end)
		s.bookmark(t, receive(t, w, every), s.version)
		w.Stop()
	}
}

// elsewhere leaves a few changes unread, has other namespaces go on or not, and then reads what came.
func elsewhere(t *conform.T, subject Subject, every time.Duration) {
	s := startWith(t, subject, 64, every)
	for _, namespace := range []string{"quiet", ""} {
		w := s.watch(t, kit.ListOptions{Namespace: namespace, ResourceVersion: from(s.version).ResourceVersion, AllowWatchBookmarks: true})
		for _, n := range [][2]int{{2, 2}, {2, 0}, {1, 1}, {3, 0}, {3, 1}} { // changes of namespace quiet, and of busy
			s.puts(t.Actor, n[0], "quiet", "y")
			for range n[1] {
				s.put(t.Actor, "busy", "x")
				t.Wait()
			}
			t.Note("nobody reads for %v", 2*every)
			time.Sleep(2 * every)
			changes := n[0]
			if namespace == "" {
				changes += n[1]
			}
			s.follow(t, w, changes, every/4)
		}
		w.Stop()
	}
}

// atTheMoment makes a change whenever a bookmark is due, before that or after it, as the
// scheduler likes.
func atTheMoment(t *conform.T, subject Subject, every time.Duration, early bool) {
	const rounds = 20
	s := startWith(t, subject, 64, every)
	write := func() {
		t.Go("writer", func(a *conform.Actor) {
			a.Note("commits a change of busy/x and one of quiet/y in turn, one each %v", every/2)
			quiet := &conform.Actor{}
			for range rounds {
				time.Sleep(every / 2)
				s.put(quiet, "busy", "x")
				time.Sleep(every / 2)
				s.put(quiet, "quiet", "y")
			}
		})
	}
	if early {
		write()
		t.Wait()
	}
	w := s.watch(t, kit.ListOptions{Namespace: "quiet", ResourceVersion: "1", AllowWatchBookmarks: true})
	if !early {
		t.Wait()
		write()
	}
	s.follow(t, w, rounds, 0)
	t.Join()
	w.Stop()
}

// oftenAtTheMoment makes changes on the real scheduler, while one bookmark after the other is due.
func oftenAtTheMoment(t *conform.T, subject Subject) {
	s := startWith(t, subject, 4096, 50*time.Microsecond)
	w := s.watch(t, kit.ListOptions{Namespace: "quiet", ResourceVersion: "1", AllowWatchBookmarks: true})
	last := uint64(1)
	for range 20 {
		for _, ns := range []string{"busy", "quiet"} {
			due := s.put(t.Actor, ns, "x")
			for came := false; !came; {
				e, ok := w.Next()
				t.Require(ok, "The watch ended although nothing has ended it.")
				last = s.see(t, e, last)
				came = last == due || e.Type != kit.Bookmark
			}
		}
	}
	w.Stop()
	w.Rest()
}

// slowReader reads more slowly than a writer writes.
func slowReader(t *conform.T, subject Subject, every time.Duration) {
	s := startWith(t, subject, 4000, every)
	w := s.watch(t, kit.ListOptions{ResourceVersion: "1", AllowWatchBookmarks: true})
	s.bookmark(t, receive(t, w, every), 1)
	next, last := 0, uint64(1)
	newest := map[uint64]time.Duration{} // of the store, and since when
	for range 40 {
		s.puts(t.Actor, 25, "a", "x")
		newest[s.reached()] = t.Elapsed()
		time.Sleep(every / 2)
		for range 15 { // slower than the writer
			e, ok := w.Next()
			if !ok {
				t.Fatalf("The watch ended although its reader was not a window behind.")
			}
			if e.Type == kit.Bookmark {
				last = s.bookmark(t, e, last)
				t.Require(last <= max(1, versionOf(s, next)), "A bookmark of version %d came, and its reader had only received the changes up to %d: a bookmark says that everything up to its version has been delivered. %s", last, versionOf(s, next), taken(newest, last, every/2))
				continue
			}
			listwatch.Same(t, []string{s.log[next].String()}, listwatch.Texts([]kit.Event[*kit.Pod]{e}), "The watch did not bring the changes in order.")
			next++
		}
	}
	w.Stop()
	w.Rest()
}

// follow reads n events of a watch, and the bookmarks between them, with a pause after each.
func (s *store) follow(t *conform.T, w stream, n int, pause time.Duration) {
	last := uint64(1)
	for n > 0 {
		e, ok := w.Next()
		t.Require(ok, "The watch ended although nothing has ended it.")
		last = s.see(t, e, last)
		if e.Type != kit.Bookmark {
			n--
		}
		time.Sleep(pause)
	}
}

// see checks one event of a watch whose last bookmark had that version, and returns the
// version of the last bookmark after it.
func (s *store) see(t *conform.T, e kit.Event[*kit.Pod], last uint64) uint64 {
	if e.Type == kit.Bookmark {
		return s.bookmark(t, e, last)
	}
	if e.Object == nil {
		t.Fatalf("The watch brought %s.", listwatch.Show(e))
	}
	n, _ := strconv.ParseUint(e.Object.ResourceVersion, 10, 64)
	t.Require(n > last, "%s came after a bookmark of version %d: a bookmark says that every change up to its version has been delivered.", listwatch.Show(e), last)
	return last
}

// timed reads a watch up to its timeout, and looks at how far apart its bookmarks are.
func timed(t *conform.T, subject Subject, every time.Duration, seconds int64) {
	s := startWith(t, subject, 64, every)
	o := from(1)
	o.AllowWatchBookmarks, o.TimeoutSeconds = true, seconds
	w := s.watch(t, o)
	last, at := uint64(1), time.Duration(-1)
	for {
		e, ok := w.Next()
		if !ok {
			return
		}
		last = s.bookmark(t, e, last)
		t.Require(at < 0 || t.Elapsed()-at >= every/2, "With BookmarkEvery of %v and TimeoutSeconds %d there were %v between two bookmarks of a reader that keeps up: no two come within half a period, also shortly before the timeout.", every, seconds, t.Elapsed()-at)
		at = t.Elapsed()
	}
}

// missed leaves a change unread for many periods, and then reads all there is.
func missed(t *conform.T, subject Subject, every time.Duration) {
	const periods, window = 100, 1
	const most = 4*window + 8 + 4 // what a ResultChan has room for; and one or two may be under way
	s := startWith(t, subject, window, every)
	o := from(1)
	o.AllowWatchBookmarks = true
	w := s.watch(t, o)
	s.put(t.Actor, "a", "x")
	t.Note("nobody reads for %v", periods*every)
	time.Sleep(periods * every)
	events, closed := w.Ready(t)
	t.Require(!closed, "The watch ended although nothing has ended it.")
	t.Require(len(events) <= most, "A change waited for its reader for %v, with BookmarkEvery of %v. Then the reader took all there was, and got %d events at one moment. Of the bookmarks that could not be sent when they were due one or two may come late; the others are not made up for.", periods*every, every, len(events))
	w.Stop()
}
