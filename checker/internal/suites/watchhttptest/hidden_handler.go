package watchhttptest

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
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
