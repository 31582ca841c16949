package fake

import (
	"context"
	"strconv"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// stream is what watches hear, the oldest first. It is guarded by the server's lock.
type stream[T kit.Object] struct {
	log   []entry[T]
	grown chan struct{} // closed, and made anew, when log grows
	over  chan struct{} // closed, and made anew, when all watches end
}

// entry is an event that came with a version, or a bookmark or an error that came after it.
type entry[T kit.Object] struct {
	version int64
	event   kit.Event[T]
}

func newStream[T kit.Object]() stream[T] {
	return stream[T]{grown: make(chan struct{}), over: make(chan struct{})}
}

func (s *stream[T]) append(version int64, event kit.Event[T]) {
	s.log = append(s.log, entry[T]{version, event})
	close(s.grown)
	s.grown = make(chan struct{})
}

// Watch starts a watch after the version of the options.
func (r *Resource[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	q := &Request{Verb: Watch, Resource: r.typ.Resource, Options: options}
	return exchange(ctx, r.server, q, place(options), r.interceptors(), func() (kit.Watch[T], string, error) {
		from, err := strconv.ParseInt(options.ResourceVersion, 10, 64)
		if err != nil {
			return nil, "", kit.NewStatusError(kit.ReasonBadRequest, "watch from %q", options.ResourceVersion)
		}
		w := &watch[T]{resource: r, namespace: options.Namespace, from: from, over: r.stream.over, out: make(chan kit.Event[T]), stopped: make(chan struct{})}
		go w.run(ctx)
		return w, "a watch", nil
	})
}

// EndWatches ends all watches that are under way, as a server may at any time.
func (r *Resource[T]) EndWatches() {
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	r.server.note("all watches of %s end", r.typ.Resource)
	close(r.stream.over)
	r.stream.over = make(chan struct{})
}

// watch is one watch of a resource. It hands over one event at a time.
type watch[T kit.Object] struct {
	resource  *Resource[T]
	namespace string
	from      int64 // only what is younger
	next      int   // the place in the log
	over      <-chan struct{}
	out       chan kit.Event[T]
	once      sync.Once
	stopped   chan struct{}
}

func (w *watch[T]) Stop()                           { w.once.Do(func() { close(w.stopped) }) }
func (w *watch[T]) ResultChan() <-chan kit.Event[T] { return w.out }

// run is the only sender, so it may close.
func (w *watch[T]) run(ctx context.Context) {
	defer close(w.out)
	for {
		event, grown := w.take()
		if grown == nil {
			if !w.send(ctx, event) {
				return
			}
			continue
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return
		case <-w.stopped:
			return
		case <-w.over:
			return
		}
	}
}

// send hands an event over, and returns false if the watch ends before.
func (w *watch[T]) send(ctx context.Context, event kit.Event[T]) bool {
	r := w.resource
	call := r.server.actor.Call("sends %s %s %s to a watch", event.Type, r.typ.Resource, r.Show(event.Object))
	select {
	case w.out <- event:
		call.Returned("")
		return true
	case <-ctx.Done():
	case <-w.stopped:
	case <-w.over:
	}
	call.Returned("nobody has received it, and the watch ends")
	return false
}

// take takes the next event, or says when there may be one.
func (w *watch[T]) take() (event kit.Event[T], grown <-chan struct{}) {
	r := w.resource
	r.server.mu.Lock()
	defer r.server.mu.Unlock()
	for w.next < len(r.stream.log) {
		e := r.stream.log[w.next]
		w.next++
		if e.version <= w.from || w.namespace != "" && w.namespace != e.event.Object.GetNamespace() {
			continue
		}
		e.event.Object = r.typ.DeepCopy(e.event.Object)
		return e.event, nil
	}
	return event, r.stream.grown
}
