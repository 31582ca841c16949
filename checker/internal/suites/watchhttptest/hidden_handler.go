package watchhttptest

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// reads is a ResponseWriter of a client that reads what comes. It keeps nothing.
func reads() hesitant {
	gate := make(chan struct{})
	close(gate)
	return hesitant{http.Header{}, gate, new(atomic.Int64)}
}

// stopsOnEveryWay has a watch end in each of the ways that have nothing to do with a write. Its Stop takes a second.
func stopsOnEveryWay(t *conform.T, s Subject) {
	stopsWhen(t, s, "the source ended its watch", &handed{over: true}, func(*handed, func()) {})
	stopsWhen(t, s, "the context of the request ended while Handler waited for an event", &handed{}, func(_ *handed, cancel func()) {
		t.Go("the request", func(*conform.Actor) {
			time.Sleep(time.Minute)
			cancel()
		})
	})
	stopsWhen(t, s, "the context of the request ended while source.Watch was at work, which then returned a watch", &handed{}, func(src *handed, cancel func()) { src.begins = cancel })
}

// stopsWhen calls Handler for a watch that comes to its end. prepare gets the function that ends the context of the request.
func stopsWhen(t *conform.T, s Subject, what string, src *handed, prepare func(src *handed, cancel func())) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	src.source, src.events = newSource(t), []kit.Event[*kit.Pod]{added("a", 7)}
	prepare(src, cancel)
	handler, r := s.Handler(kit.Pods, src), incoming(t, ctx, "/api/v1/pods?watch=1")
	t.Do(func() { handler.ServeHTTP(reads(), r) }, "ServeHTTP(watch=1)")
	t.Require(src.stops.Load() > 0, "What ended a watch: %s. ServeHTTP of Handler has returned, and no Stop of the source's watch had returned by then: by the time it has returned it has stopped the watch, whatever the reason.", what)
	t.Join()
}

// othersAreServed asks a Handler that is stuck in a write to one client for a list and for many watches.
func othersAreServed(t *conform.T, handler http.Handler, src *source, version string) {
	const watches = 60
	ctx, cancel := context.WithCancel(context.Background())
	listed := make(chan struct{})
	t.Go("lister", func(*conform.Actor) {
		defer close(listed)
		handler.ServeHTTP(reads(), incoming(t, ctx, "/api/v1/pods"))
	})
	before := len(src.begun())
	t.Note("%d clients ask for watches", watches)
	for range watches {
		r := incoming(t, ctx, "/api/v1/pods?watch=1&resourceVersion="+version)
		t.Go("watcher", func(*conform.Actor) { handler.ServeHTTP(reads(), r) })
	}
	t.Wait()
	t.Require(probe.Closed(listed), "One client does not read, and another asked for a list and got no answer: Handler serves any number of requests at once.")
	begun := len(src.begun()) - before
	t.Require(begun == watches, "One client does not read, and %d others asked for watches. Handler began %d of its source: it serves any number of requests at once.", watches, begun)
	cancel()
	t.Wait()
	t.Require(src.live() == 1, "The contexts of %d watches have ended, and beside the one whose client does not read %d watches of the source are open.", watches, src.live()-1)
}

// tireless is a source whose watches always have an event at hand. One ends with Stop, and with its context only
// after so many events.
type tireless struct {
	*source
	events int
}

// Watch begins a watch.
func (s tireless) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	s.a.Callback("Watch(%s)", listwatch.Options(options)).Returned("a watch")
	w := tirelessWatch{make(chan kit.Event[*kit.Pod]), make(chan struct{}), new(sync.Once)}
	go func() {
		defer close(w.result)
		for i := range s.events {
			select {
			case w.result <- added("a", i+1):
			case <-w.stopped:
				return
			}
		}
		<-ctx.Done()
	}()
	return w, nil
}

type tirelessWatch struct {
	result  chan kit.Event[*kit.Pod]
	stopped chan struct{} // closed by Stop
	once    *sync.Once
}

// Stop ends the watch.
func (w tirelessWatch) Stop() { w.once.Do(func() { close(w.stopped) }) }

// ResultChan delivers the events.
func (w tirelessWatch) ResultChan() <-chan kit.Event[*kit.Pod] { return w.result }

// steady is a ResponseWriter of a client that reads a line in a second. It counts them.
type steady struct {
	header http.Header
	lines  *atomic.Int64
}

func (s steady) Header() http.Header { return s.header }
func (s steady) WriteHeader(int)     {}
func (s steady) FlushError() error   { return nil }
func (s steady) Write(b []byte) (int, error) {
	time.Sleep(time.Second)
	s.lines.Add(int64(bytes.Count(b, []byte("\n"))))
	return len(b), nil
}

// shutdownUnnoticed ends the context of a request whose source has an event whenever it is asked. A loop that selects
// between the two may write some more.
func shutdownUnnoticed(t *conform.T, s Subject) {
	const events, before, few = 200, 10, 50
	ctx, cancel := t.WithCancel(context.Background(), "the context of the request")
	defer cancel()
	src := tireless{newSource(t), events}
	handler, r := s.Handler(kit.Pods, src), incoming(t, ctx, "/api/v1/pods?watch=1")
	w := steady{http.Header{}, new(atomic.Int64)}
	t.Go("server", func(a *conform.Actor) {
		a.Do(func() { handler.ServeHTTP(w, r) }, "ServeHTTP(a client that reads a line in a second, watch=1)")
	})
	time.Sleep(before*time.Second + time.Second/2)
	written := w.lines.Load()
	cancel()
	t.Join()
	more := w.lines.Load() - written
	t.Require(more < few, "The context of a request was done, its source did not notice and went on to bring events, and Handler wrote %d more of them: the answer ends when the request's context is done, and does not wait for the source.", more)
}
