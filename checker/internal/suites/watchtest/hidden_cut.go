package watchtest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// othersAreCut has watches that are not read be cut off at each of several commits, and looks after
// each commit at watches whose readers keep up. Those began before, between and after the ones that are cut off.
func othersAreCut(t *conform.T, subject Subject) {
	const window, deaf, rounds, each = 4, 8, 6, 5
	s := start(t, subject, window)
	quiet := &conform.Actor{}
	t.Note("begins watches each %d commits, of which each third is read after each commit and the others are not read", each)
	var fast, slow []stream
	begin := func(all *[]stream) {
		w, err := s.try(t.Context(), quiet, from(s.version))
		t.Require(err == nil, "A watch from the newest version, %d, was refused with %s.", s.version, conform.Said(err))
		*all = append(*all, w)
	}
	begin(&fast)
	for range rounds {
		for range deaf / 2 {
			begin(&slow)
			begin(&slow)
			begin(&fast)
		}
		for range each {
			t.Wait() // all sleep: nobody is awake by chance when the next change comes
			s.put(t.Actor, "a", "x")
			t.Wait()
			due := s.log[len(s.log)-1].String()
			for _, w := range fast {
				events, closed := w.As(quiet).Ready(t)
				got := listwatch.Texts(events)
				t.Require(!closed && slices.Equal(got, []string{due}), "A watch whose reader keeps up brought %v%s, and %s was due. Others are not read, and are cut off at some of these commits. A Commit that cuts a watcher off wakes all the others as well: no watcher waits for another.", got, ended(closed), due)
			}
		}
	}
	for _, w := range append(fast, slow...) {
		w.As(quiet).Stop()
	}
}

func ended(closed bool) string {
	if closed {
		return " and was closed"
	}
	return ""
}

// burst commits more changes than a window while somebody waits for the next one. The watcher may be cut
// off before it has sent any of them, and may find that out by itself.
func burst(t *conform.T, subject Subject, window int) {
	for _, n := range []int{window + 1, window + 2, 2*window + 1, 5 * window} {
		s := start(t, subject, window)
		w := s.watch(t, from(1))
		var events []kit.Event[*kit.Pod]
		t.Go("reader", func(a *conform.Actor) { events = w.As(a).Rest() })
		t.Wait()
		quiet := &conform.Actor{}
		for range n {
			s.put(quiet, "a", "x")
		}
		t.Note("%d changes of a/x have been committed at once", n)
		t.Wait()
		w.Stop()
		t.Join()
		for _, e := range events {
			t.Require(e.Type != kit.Error, "A watcher fell %d changes behind at once, with a window of %d, and its waiting reader received %s. A watcher that is cut off gets no Error event: its ResultChan is closed.", n, window, listwatch.Show(e))
		}
		want, got := s.after(1, ""), listwatch.Texts(events)
		listwatch.Same(t, want[:min(len(want), len(got))], got, "%d changes were committed at once, with a window of %d, and a waiting reader did not receive the first of them in order.", n, window)
	}
}

// replayCounts has watchers replay a window of changes that nobody reads, or of which one is read, and brings
// them to four windows behind.
func replayCounts(t *conform.T, subject Subject, window int, slowly bool) {
	s := start(t, subject, window)
	s.puts(t.Actor, 2*window, "a", "x")
	unread := s.watch(t, from(s.version-uint64(window)))
	begun := s.watch(t, from(s.version-uint64(window)))
	begun.Next()
	quiet := &conform.Actor{}
	for range 3 * window {
		s.put(quiet, "a", "x")
		if slowly {
			t.Wait()
		}
	}
	t.Note("%d changes of a/x have been committed after those %d that the watches replay", 3*window, window)
	cutOff(t, unread, window, "a change that is replayed")
	s.put(t.Actor, "a", "x")
	cutOff(t, begun, window, "a change that is replayed, after one that was received,")
}

// room looks at the room of a ResultChan that has no initial events to bring.
func room(t *conform.T, subject Subject, window int) {
	const bookmarks = 8 // so many places there may be for these
	s := start(t, subject, window)
	for _, marked := range []bool{false, true} {
		o := from(1)
		o.AllowWatchBookmarks = marked
		w := s.watch(t, o)
		got := cap(w.Watch.ResultChan())
		t.Require(got <= 4*window+bookmarks, "With a window of %d, the ResultChan of a watch from a version has room for %d events. No ResultChan has room for more than four times Window changes and eight bookmarks, here %d.", window, got, 4*window+bookmarks)
		w.Stop()
	}
}
