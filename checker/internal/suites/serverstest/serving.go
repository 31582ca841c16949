package serverstest

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// serving is a call of Serve that is under way.
type serving struct {
	t    *conform.T
	stop context.CancelFunc // ends Serve's context
	done chan struct{}      // closed when Serve has returned err
	err  error
	busy atomic.Pointer[string] // why Serve may not return yet

	// doors are the listeners to speak of if Serve does not return. They are for the case to set.
	doors []*fake.Memory
}

// serve calls Serve in a goroutine of its own.
func serve(t *conform.T, s Subject, servers ...Handle) *serving {
	return serveIn(context.Background(), t, s, servers...)
}

// serveIn is serve with a parent for Serve's context. It is not the scenario's:
// that one ends with the scenario and would release a Serve that waits for nothing else.
func serveIn(parent context.Context, t *conform.T, s Subject, servers ...Handle) *serving {
	ctx, stop := context.WithCancel(parent)
	return serveUntil(ctx, stop, t, s, servers...)
}

// serveUntil is serve with Serve's context and with what ends it.
func serveUntil(ctx context.Context, stop func(), t *conform.T, s Subject, servers ...Handle) *serving {
	v := &serving{t: t, stop: stop, done: make(chan struct{})}
	t.Go("Serve", func(a *conform.Actor) {
		v.err = conform.Do(a, func() error { return s.Serve(ctx, servers...) }, "Serve(ctx, %s)", conform.Count(len(servers), "server"))
		if why := v.busy.Load(); why != nil {
			a.Breaks("Serve returns although %s", *why)
		}
		close(v.done) // not deferred: the case must not go on, and fail, while a panic of Serve's is on its way
	})
	return v
}

// cancel ends Serve's context and says so in the history.
func (v *serving) cancel() {
	v.t.Do(v.stop, "cancel(): shutdown begins")
}

// stays has Serve not return for d, because of why.
func (v *serving) stays(d time.Duration, why string) {
	v.busy.Store(&why)
	time.Sleep(d)
	v.t.Require(!probe.Closed(v.done), "Serve returned although %s.", why)
	v.busy.Store(nil)
}

// within gives Serve the time limit to return, in virtual time.
func (v *serving) within(limit time.Duration, sentence string) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-v.done:
	case <-timer.C:
		v.t.Fatalf("%s It should have returned after %v at the latest.%s", sentence, v.t.Elapsed(), listening(v.doors))
	}
}

// listening says which of several listeners are open; "" of none.
func listening(doors []*fake.Memory) string {
	var open []string
	for _, d := range doors {
		if !d.Closed() {
			open = append(open, d.Name)
		}
	}
	switch {
	case len(doors) == 0:
		return ""
	case len(open) == 0:
		return " All listeners are closed by now."
	}
	return " Of the listeners, these are still open: " + conform.Listed(open) + "."
}

// cleanly waits for a Serve that has nothing left to wait for, and requires nil.
func (v *serving) cleanly() {
	<-v.done
	v.t.Require(v.err == nil, "Serve's context ended and every request ended in time, and Serve returned %s: it should have returned nil.", conform.Said(v.err))
}

// ends cancels Serve's context with nothing under way: Serve returns nil, and soon.
func (v *serving) ends() {
	v.cancel()
	v.within(tolerance, "Serve did not return after its context had ended, with nothing under way.")
	v.cleanly()
}

// says is a handler that answers with text.
func says(text string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, text) })
}

// handler is shorthand.
func handler(f func(w http.ResponseWriter, r *http.Request)) http.Handler { return http.HandlerFunc(f) }

// takes is a handler that is busy for d and deaf to its context.
func takes(d time.Duration) http.Handler {
	return handler(func(w http.ResponseWriter, _ *http.Request) {
		time.Sleep(d)
		io.WriteString(w, "done")
	})
}
