package watchtest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// othersAreCut has watches that are not read be cut off, some of them at each of several commits, and
// looks after each commit at watches whose readers keep up.
func othersAreCut(t *conform.T, subject Subject) {
	const window, deaf, rounds, each = 4, 8, 6, 5
	s := start(t, subject, window)
	quiet := &conform.Actor{}
	t.Note("%d watches are read after each commit, and %d more, which are not read, begin each %d commits", deaf, deaf, each)
	begin := func() (all []stream) {
		for range deaf {
			w, err := s.try(t.Context(), quiet, from(s.version))
			t.Require(err == nil, "A watch from the newest version, %d, was refused with %s.", s.version, conform.Said(err))
			all = append(all, w)
		}
		return all
	}
	fast := begin()
	var slow []stream
	for range rounds {
		slow = append(slow, begin()...)
		for range each {
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
