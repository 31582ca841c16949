// Package listwatch calls a subject that is a kit.ListerWatcher: it writes the calls and what
// the watches bring into the history, and compares that with what was due.
package listwatch

import (
	"context"
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Client is the subject. Each call is made by an actor.
type Client[T kit.Object] struct{ Subject kit.ListerWatcher[T] }

// List lists.
func (c Client[T]) List(ctx context.Context, a *conform.Actor, o kit.ListOptions) (kit.List[T], error) {
	call := a.Call("List(%s)", Options(o))
	list, err := c.Subject.List(ctx, o)
	if err != nil {
		call.Returned("%v", err)
	} else {
		call.Returned("%s @%s", conform.Show(list.Items), list.ResourceVersion)
	}
	return list, err
}

// Try begins a watch that may be refused.
func (c Client[T]) Try(ctx context.Context, a *conform.Actor, o kit.ListOptions) (Stream[T], error) {
	call := a.Call("Watch(%s)", described(o))
	w, err := c.Subject.Watch(ctx, o)
	if err != nil {
		call.Returned("%v", err)
		return Stream[T]{}, err
	}
	call.Returned("a watch")
	return Stream[T]{a, w, described(o)}, nil
}

// Watch begins a watch, and ends the case if it is refused.
func (c Client[T]) Watch(ctx context.Context, t *conform.T, o kit.ListOptions) Stream[T] {
	s, err := c.Try(ctx, t.Actor, o)
	t.Require(err == nil, "Watch(%s) has no reason to be refused, and returned an error: %v.", Options(o), err)
	t.Require(s.Watch != nil, "Watch(%s) returned neither a watch nor an error.", Options(o))
	return s
}

// Stream is a watch of the subject.
type Stream[T kit.Object] struct {
	Actor   *conform.Actor
	Watch   kit.Watch[T]
	options described
}

// described are the options of a call, which the history has in words only where somebody reads it.
type described kit.ListOptions

func (o described) String() string { return Options(kit.ListOptions(o)) }

// As is the same watch, used by another goroutine.
func (s Stream[T]) As(a *conform.Actor) Stream[T] {
	s.Actor = a
	return s
}

// Stop stops the watch.
func (s Stream[T]) Stop() { s.Actor.Do(s.Watch.Stop, "Stop() of the watch %s", s.options) }

// Next waits for the next event. open is false if the ResultChan was closed.
func (s Stream[T]) Next() (event kit.Event[T], open bool) {
	call := s.Actor.Call("receive from the watch %s", s.options)
	event, open = <-s.Watch.ResultChan()
	if !open {
		call.Returned("closed")
		return event, false
	}
	call.Returned("%s", Show(event))
	return event, true
}

// Ready takes what there is to take now. It is for bubbles, where nothing more comes by
// itself. closed says that the ResultChan was closed.
func (s Stream[T]) Ready(t *conform.T) (events []kit.Event[T], closed bool) {
	for {
		t.Wait()
		n := len(events)
		events, closed = s.waiting(events)
		s.received(events[n:])
		if closed {
			s.Actor.Note("the ResultChan of the watch %s is closed", s.options)
		}
		if closed || len(events) == n {
			return events, closed
		}
	}
}

// few is how many events stand in the history one by one. Of more only the ends do.
const few = 8

func (s Stream[T]) received(events []kit.Event[T]) {
	if n := len(events); n > few {
		s.Actor.Note("the watch %s brought %d events: %s, %s … %s", s.options, n, Show(events[0]), Show(events[1]), Show(events[n-1]))
		return
	}
	for _, e := range events {
		s.Actor.Note("the watch %s brought %s", s.options, Show(e))
	}
}

// waiting adds to events what can be received without waiting.
func (s Stream[T]) waiting(events []kit.Event[T]) ([]kit.Event[T], bool) {
	for {
		select {
		case e, ok := <-s.Watch.ResultChan():
			if !ok {
				return events, true
			}
			events = append(events, e)
		default:
			return events, false
		}
	}
}

// Expect takes what there is, and wants exactly that, and the watch to go on.
func (s Stream[T]) Expect(t *conform.T, want []string, sentence string, args ...any) []kit.Event[T] {
	events, closed := s.Ready(t)
	got := Texts(events)
	if closed && len(got) <= len(want) && slices.Equal(want[:len(got)], got) {
		t.Fatalf(sentence+" The ResultChan was closed after %d of %d events, and nothing has ended that watch.", append(args, len(got), len(want))...)
	}
	Same(t, want, got, sentence, args...)
	if closed {
		t.Fatalf("The ResultChan of the watch %s was closed, and nothing has ended that watch.", s.options)
	}
	return events
}

// ExpectEnd takes what there is, and wants exactly that, and the end of the watch.
func (s Stream[T]) ExpectEnd(t *conform.T, want []string, sentence string, args ...any) []kit.Event[T] {
	events, closed := s.Ready(t)
	Same(t, want, Texts(events), sentence, args...)
	if !closed {
		t.Fatalf("The ResultChan of the watch %s is still open, and that watch is over.", s.options)
	}
	return events
}

// Rest reads until the ResultChan is closed.
func (s Stream[T]) Rest() []kit.Event[T] {
	call := s.Actor.Call("read the watch %s until its ResultChan is closed", s.options)
	var events []kit.Event[T]
	for e := range s.Watch.ResultChan() {
		events = append(events, e)
	}
	call.Returned("closed, after %d more", len(events))
	return events
}

// SameSet ends the case if got is not want, in whatever order. The sentence says what follows
// from that.
func SameSet(t *conform.T, want, got []string, sentence string, args ...any) {
	missing, more := conform.Without(want, got), conform.Without(got, want)
	switch {
	case len(missing) > 0 && len(more) > 0:
		t.Fatalf(sentence+" Missing: %v. Not due: %v.", append(args, missing, more)...)
	case len(missing) > 0:
		t.Fatalf(sentence+" Missing: %v.", append(args, missing)...)
	case len(more) > 0:
		t.Fatalf(sentence+" Not due: %v.", append(args, more)...)
	}
}

// Same ends the case at the first event that is not the one that was due. The sentence says
// what follows from that.
func Same(t *conform.T, want, got []string, sentence string, args ...any) {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			t.Fatalf(sentence+" %s was due, and did not come.", append(args, want[i])...)
		case i >= len(want):
			t.Fatalf(sentence+" %s came, and nothing more was due.", append(args, got[i])...)
		case got[i] != want[i]:
			t.Fatalf(sentence+" %s came where %s was due.", append(args, got[i], want[i])...)
		}
	}
}

// Texts are events as Show has them.
func Texts[T kit.Object](events []kit.Event[T]) []string {
	texts := make([]string, len(events))
	for i, e := range events {
		texts[i] = Show(e)
	}
	return texts
}

// Show is an event in a few words: "ADDED shop/web@7".
func Show[T kit.Object](e kit.Event[T]) string {
	var none T
	switch {
	case e.Type == kit.Error && e.Status != nil:
		return fmt.Sprintf("ERROR %d %s", e.Status.Code, e.Status.Reason)
	case e.Type == kit.Error:
		return "ERROR without a Status"
	case any(e.Object) == any(none):
		return fmt.Sprintf("%s without an object", e.Type)
	case e.Type == kit.Bookmark && e.Object.GetAnnotations()[kit.InitialEventsEnd] == "true":
		return fmt.Sprintf("BOOKMARK @%s end of the initial events", e.Object.GetResourceVersion())
	case e.Type == kit.Bookmark:
		return fmt.Sprintf("BOOKMARK @%s", e.Object.GetResourceVersion())
	}
	return string(e.Type) + " " + conform.ShowObject(e.Object)
}

// Options are the options of a call in a few words: `from "7" in shop with bookmarks`.
func Options(o kit.ListOptions) string {
	s := fmt.Sprintf("from %q", o.ResourceVersion)
	if o.Namespace != "" {
		s += " in " + o.Namespace
	}
	if o.SendInitialEvents {
		s += " with initial events"
	}
	if o.AllowWatchBookmarks {
		s += " with bookmarks"
	}
	if o.TimeoutSeconds != 0 {
		s += fmt.Sprintf(" for %d s", o.TimeoutSeconds)
	}
	return s
}
