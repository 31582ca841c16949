package watchhttptest

import (
	"context"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// slowly is a Transport over a connection that takes its time: a read that was cancelled returns two
// seconds later, and each Close of a body takes one.
type slowly struct {
	inner   http.RoundTripper
	open    atomic.Int64 // bodies that have not been closed
	reading atomic.Int64 // reads that have not returned
	closing atomic.Int64 // bodies that are being closed
}

func (s *slowly) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := s.inner.RoundTrip(r)
	if err == nil && r.URL.Query().Has("watch") {
		s.open.Add(1)
		res.Body = slowBody{res.Body, s, r.Context(), sync.OnceFunc(func() { s.open.Add(-1) })}
	}
	return res, err
}

type slowBody struct {
	io.ReadCloser
	s   *slowly
	ctx context.Context // of the request

	closed func()
}

func (b slowBody) Read(p []byte) (int, error) {
	b.s.reading.Add(1)
	defer b.s.reading.Add(-1)
	n, err := b.ReadCloser.Read(p)
	if b.ctx.Err() != nil {
		time.Sleep(2 * time.Second)
	}
	return n, err
}

func (b slowBody) Close() error {
	b.s.closing.Add(1)
	defer b.s.closing.Add(-1)
	time.Sleep(time.Second)
	defer b.closed()
	return b.ReadCloser.Close()
}

// slow makes the connections of a site slow.
func (s *site) slow() *slowly {
	way := &slowly{inner: s.transport}
	s.through(way)
	s.t.Note("the connection is slow: a read that was cancelled takes two seconds to return, and the Close of a body takes one")
	return way
}

// stopDoesNotWait stops a watch whose end takes its time.
func stopDoesNotWait(t *conform.T, s Subject) {
	api := serve(t, &script{answer: func(x exchange) {
		x.begin()
		x.hold()
	}})
	defer api.close()
	way := api.slow()
	w := api.caller(s, 0).watch(t, kit.ListOptions{})
	t.Wait()
	before := t.Elapsed()
	w.Stop()
	t.Require(t.Elapsed() == before, "Stop returned after %v: it waited for the end of the watch, and never blocks.", t.Elapsed()-before)
	w.Rest()
	t.Wait()
	t.Require(way.closing.Load() == 0 && way.reading.Load() == 0, "Stop was called, the ResultChan was closed, and the body of the answer was still being read or closed: by then no goroutine is left.")
}

// foreign is a context of another package's making. It counts the contexts that were made from it and have
// not ended: package context calls AfterFunc for each, and what that returns when it ends.
type foreign struct {
	context.Context
	done    chan struct{} // never closed
	derived *atomic.Int64
}

func (f foreign) Done() <-chan struct{} { return f.done }

// AfterFunc never calls what it is given, for the context never ends.
func (f foreign) AfterFunc(func()) (stop func() bool) {
	f.derived.Add(1)
	end := sync.OnceFunc(func() { f.derived.Add(-1) })
	return func() bool {
		end()
		return true
	}
}

// nothingIsLeft has watches end by themselves, and an ERROR end ListAndWatch. Their context goes on.
func nothingIsLeft(t *conform.T, s Subject) {
	expired := kit.NewResourceExpired("too old").ErrStatus
	text, pauses := line(added("a", 2)), false
	server := &script{answer: func(x exchange) {
		switch {
		case !x.watch:
			x.say(podList(1))
		case pauses:
			pauses = false
			x.begin()
		default:
			x.say(text)
		}
	}}
	api := serve(t, server)
	defer api.close()
	way := api.slow()
	client := api.caller(s, 0)
	ctx := foreign{context.Background(), make(chan struct{}), new(atomic.Int64)}
	for _, text = range []string{text, text + "nonsense\n", line(kit.Event[*kit.Pod]{Type: kit.Error, Status: &expired})} {
		w := client.Watch(ctx, t, kit.ListOptions{})
		w.Rest()
		t.Wait()
		t.Require(way.open.Load() == 0 && way.closing.Load() == 0, "A watch has ended by itself, its ResultChan was closed, and the body of the answer was not closed yet: by then it is, and no goroutine is left.")
		t.Require(ctx.derived.Load() == 0, "A watch has ended by itself, and the context of its request, which was made from the ctx of Watch, has not: by then the request is cancelled. As long as ctx goes on it keeps the context of each such watch in memory.")
	}
	pauses = true // the first watch brings nothing, and ctx outlives the second that follows
	err := client.listAndWatch(ctx, t.Actor, kit.ListOptions{}, func(kit.List[*kit.Pod]) {}, func(kit.Event[*kit.Pod]) {})
	t.Require(kit.IsResourceExpired(err), "A watch brought an ERROR that says Expired, and ListAndWatch did not return its Status, but %v.", err)
	t.Wait()
	t.Require(way.open.Load() == 0 && way.closing.Load() == 0, "ListAndWatch has returned, and the body of an answer was not closed yet: by then it has left nothing behind.")
	t.Require(ctx.derived.Load() == 0, "ListAndWatch has returned, and %d of the contexts that were made from its ctx have not ended: as long as ctx goes on they stay in memory. It leaves nothing behind.", ctx.derived.Load())
}
