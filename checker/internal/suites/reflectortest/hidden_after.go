package reflectortest

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// nothingAfterwards calls ListAndWatch itself, and looks on the next line at the one watch that was
// granted: when it failed, and when ctx was done before it was granted.
func nothingAfterwards(t *conform.T, open func() Subject) {
	for _, late := range []bool{false, true} {
		s := serve(t)
		if late {
			s.onWatch = func(ctx context.Context, _ int) error {
				<-ctx.Done()
				for range 20 { // whatever does not wait for this gets ahead of it
					runtime.Gosched()
				}
				return nil
			}
		}
		r := newReflector(t, open(), s, newStore(t), Options{})
		ctx, cancel := t.WithCancel(t.Context(), "ctx")
		defer cancel()
		stops, ended := 0, make(chan struct{})
		t.Go("reflector", func(a *conform.Actor) {
			defer close(ended)
			call := a.Call("ListAndWatch(ctx)")
			err := r.ListAndWatch(ctx)
			stops = s.stopped()
			call.Returned("%v", err)
		})
		t.Wait()
		what := "ctx was cancelled, the server granted a watch all the same"
		if late {
			cancel()
		} else {
			s.watching().fail(errExpired)
			what = "A watch failed"
		}
		t.Wait()
		t.Require(probe.Closed(ended), "%s, and ListAndWatch did not return at that moment.", what)
		t.Require(stops > 0, "%s, and ListAndWatch returned. On the next line that watch was not stopped yet.", what)
		cancel() // a call of Stop that is left for the end of ctx comes now
		t.Wait()
		t.Require(s.stopped() == stops, "%s, and ListAndWatch returned when it had called Stop %s. It was called %[3]d times in the end: when ListAndWatch returns, no goroutine of its own is left.", what, conform.Count(stops, "time"), s.stopped())
	}
}

// stopped is how often Stop was called, of all watches.
func (s *server) stopped() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for _, w := range s.streams {
		n += w.stops()
	}
	return n
}

// endsTheRequestAtOnce stops a reflector while the server has not answered a Watch, and the store is
// in a Resync. It runs outside a bubble, as waitsForResync does.
func endsTheRequestAtOnce(t *conform.T, subject Subject) {
	inResync, release, ended := make(chan struct{}), make(chan struct{}), make(chan struct{})
	s, st := serve(t), newStore(t)
	var asked atomic.Bool // a program may resync before it asks
	s.onWatch = func(ctx context.Context, n int) error {
		asked.Store(true)
		<-ctx.Done()
		if n == 1 {
			close(ended)
		}
		return ctx.Err()
	}
	st.onResync = func(n int) error {
		if n == 1 {
			close(inResync)
			<-release
		}
		return nil
	}
	_, returned, cancel := start(t, subject, s, st, Options{ResyncPeriod: time.Millisecond})
	<-inResync
	t.Wait()
	before := asked.Load()
	t.Note("cancel Run's context")
	cancel()
	t.Wait()
	atOnce := probe.Closed(ended) || !before
	close(release)
	t.Require(atOnce, "Run's context was cancelled while the store was in a Resync, and that of a Watch which the server had not answered was not done: the context of a request is done then too.")
	<-returned
}

// leavesNoGoroutines has forty watches fail. The context is no one of the standard library's, so each
// that is derived from it and not cancelled keeps a goroutine.
func leavesNoGoroutines(t *conform.T, subject Subject) {
	const watches, limit = 40, 10
	s := serve(t)
	s.onWatch = func(_ context.Context, n int) error {
		if n <= watches {
			return errExpired
		}
		return nil
	}
	t.Note("Run is called with a context of the suite's own")
	ctx := stopChannel(make(chan struct{}))
	ended := goRunIn(t, newReflector(t, subject, s, newStore(t), Options{Backoff: kit.Backoff{Duration: time.Second}, ResyncPeriod: time.Hour}), ctx)
	time.Sleep(1500 * time.Millisecond)
	before := t.Waiting()
	time.Sleep(2 * watches * time.Second)
	more := t.Waiting() - before
	close(ctx)
	<-ended
	t.Require(more < limit, "ListAndWatch has returned %d times, as the server refused a watch each time, and %d goroutines more than before wait for something: when it returns, no goroutine of its own is left.", watches, more)
}

// stopChannel is a context that ends when the channel is closed, as those of older programs are.
type stopChannel chan struct{}

func (c stopChannel) Deadline() (deadline time.Time, ok bool) { return time.Time{}, false }
func (c stopChannel) Done() <-chan struct{}                   { return c }
func (c stopChannel) Value(any) any                           { return nil }
func (c stopChannel) Err() error {
	if probe.Closed(c) {
		return context.Canceled
	}
	return nil
}

// neverResyncs has no period, and a watch that is well for a hundred hours.
func neverResyncs(t *conform.T, subject Subject) {
	s := serve(t)
	s.expect("A watch is open and well, and the server does not end it for a hundred hours: a request has no time limit of its own.", due{0, `list "0"`}, due{0, `watch "10"`})
	x := run(t, subject, s, Options{}, func(st *store) { st.expectResyncs("There is no ResyncPeriod, for a hundred hours.") })
	time.Sleep(100 * time.Hour)
	x.store.asExpected()
	s.asExpected()
	x.stop()
}

// resyncsAllTheTime has the shortest period.
func resyncsAllTheTime(t *conform.T, subject Subject) {
	x := run(t, subject, serve(t), Options{ResyncPeriod: time.Nanosecond})
	time.Sleep(50 * time.Nanosecond)
	n := len(x.store.resynced())
	x.stop()
	t.Require(n > 0, "ResyncPeriod is 1ns, and within 50ns the store was not asked to Resync. 0 is never, and nothing else is.")
}
