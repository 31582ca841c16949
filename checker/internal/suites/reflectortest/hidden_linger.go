package reflectortest

import (
	"context"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// leavesNoReader has a watch that fails, and whose ResultChan is closed soon after Stop, but not at
// once. When the next list is asked for, ListAndWatch has returned, and nobody may read it any longer.
func leavesNoReader(t *conform.T, subject Subject) {
	s := &lingeringServer{actor: t.Named("server"), first: &lingering{out: make(chan kit.Event[*kit.Pod])}}
	t.Go("watch 1", func(*conform.Actor) {
		s.first.out <- kit.Event[*kit.Pod]{Type: kit.Error, Object: &kit.Pod{}, Status: &errInternal.ErrStatus}
	})
	_, _, cancel := start(t, subject, s, newStore(t), Options{Backoff: exact()})
	time.Sleep(time.Minute)
	cancel()
	t.Join()
	t.Require(s.lists == 2, "A watch failed, and within a minute the server was asked for %s. Two were due.", conform.Count(s.lists, "list"))
	t.Require(!s.left, "A watch failed and was stopped, and ListAndWatch returned while the ResultChan was not closed yet. When the next list was asked for, a goroutine was still waiting for an event of that watch: when ListAndWatch returns, no goroutine of its own is left.")
}

// lingeringServer grants a watch that lingers first, and looks at it when the second list is asked for.
type lingeringServer struct {
	actor          *conform.Actor
	first          *lingering
	lists, watches int
	left           bool // somebody was reading the first watch then
}

// List is empty.
func (s *lingeringServer) List(_ context.Context, o kit.ListOptions) (kit.List[*kit.Pod], error) {
	s.actor.Note("is asked for list %q", o.ResourceVersion)
	if s.lists++; s.lists == 2 {
		s.left = s.first.read()
	}
	return kit.List[*kit.Pod]{ResourceVersion: "10"}, nil
}

// Watch is the one that lingers, and then one that is silent.
func (s *lingeringServer) Watch(ctx context.Context, o kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	s.actor.Note("is asked for watch %q", o.ResourceVersion)
	if s.watches++; s.watches == 1 {
		return s.first, nil
	}
	return newStream(ctx, s.actor, s.watches, 0), nil
}

// lingering is a watch whose ResultChan is closed two seconds after Stop.
type lingering struct {
	out  chan kit.Event[*kit.Pod] // without a buffer
	once sync.Once

	mu     sync.Mutex // guards closed
	closed bool
}

// Stop closes the channel two seconds later.
func (w *lingering) Stop() {
	w.once.Do(func() {
		time.AfterFunc(2*time.Second, func() {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.closed = true
			close(w.out)
		})
	})
}

// ResultChan delivers the events.
func (w *lingering) ResultChan() <-chan kit.Event[*kit.Pod] { return w.out }

// read reports whether somebody is waiting for an event.
func (w *lingering) read() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	select {
	case w.out <- bookmark("10"):
		return true
	default:
		return false
	}
}
