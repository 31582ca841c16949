package watchhttptest

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// source is what a Handler serves: a small store with all of its history. It keeps to
// kit.ListerWatcher to the letter, and its watches hand over one event at a time.
type source struct {
	a       *conform.Actor
	mu      sync.Mutex // guards the fields below
	quiet   bool       // changes do not stand in the history
	version uint64
	pods    map[string]*kit.Pod
	log     []entry
	changed chan struct{} // closed at the next entry
	over    chan struct{} // closed when all watches are to end
	refusal error         // what List and Watch return instead
	asked   []kit.ListOptions
	watches []*sourceWatch
}

// entry is one event of the history. Bookmarks and errors have no version.
type entry struct {
	version uint64
	event   kit.Event[*kit.Pod]
}

func newSource(t *conform.T) *source {
	return &source{a: t.Named("source"), version: 100, pods: map[string]*kit.Pod{}, changed: make(chan struct{}), over: make(chan struct{})}
}

// many makes so many changes as one line of the history: one by one they would fill it.
func (s *source) many(n int, change func(i int)) {
	if n == 0 {
		return
	}
	s.a.Note("%s of pods", conform.Count(n, "change"))
	s.hush(true)
	for i := range n {
		change(i)
	}
	s.hush(false)
}

func (s *source) hush(quiet bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quiet = quiet
}

// leaving is the name of pods that have ended and are being deleted. They are objects like all others.
const leaving = "leaving"

// put adds or modifies a pod.
func (s *source) put(namespace, name string) *kit.Pod {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version += 3
	p := kit.Pods.New()
	p.Namespace, p.Name, p.UID, p.ResourceVersion = namespace, name, "uid-"+name, strconv.FormatUint(s.version, 10)
	p.Labels = map[string]string{"app": "web"}
	p.Annotations = map[string]string{"note": "<a & \"b\">\nof two lines: {\"type\":\"DELETED\"}"}
	p.Spec.Image, p.Spec.CPU, p.Spec.Memory, p.Status.Phase = "web:1", 100, 1<<53+1, kit.PodRunning // no float64 has that many bytes
	if name == leaving {
		at := time.Unix(1800000000, 0).UTC()
		p.DeletionTimestamp, p.Status.Phase = &at, kit.PodFailed
	}
	what := kit.Modified
	if s.pods[kit.Key(p)] == nil {
		what = kit.Added
	}
	s.pods[kit.Key(p)] = p
	s.append(s.version, kit.Event[*kit.Pod]{Type: what, Object: p})
	return p
}

// delete deletes a pod that there is.
func (s *source) delete(namespace, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version += 3
	key := namespace + "/" + name
	p := s.pods[key].DeepCopy()
	p.ResourceVersion = strconv.FormatUint(s.version, 10)
	delete(s.pods, key)
	s.append(s.version, kit.Event[*kit.Pod]{Type: kit.Deleted, Object: p})
}

// bookmark sends a bookmark to every watch.
func (s *source) bookmark() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.append(0, bookmarkAt(s.version, false))
}

// fails sends an Error to every watch that gets what happens in the namespace. It has an object, too,
// which counts for nothing.
func (s *source) fails(status kit.Status, namespace string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := kit.Pods.New()
	p.Namespace, p.Name = namespace, "of-no-account"
	s.append(0, kit.Event[*kit.Pod]{Type: kit.Error, Object: p, Status: &status})
}

// end ends every watch, as a source may.
func (s *source) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.a.Note("ends all its watches")
	close(s.over)
	s.over = make(chan struct{})
}

// append is called with the lock held.
func (s *source) append(version uint64, event kit.Event[*kit.Pod]) {
	if !s.quiet {
		s.a.Note("has %s", listwatch.Show(event))
	}
	s.log = append(s.log, entry{version, event})
	close(s.changed)
	s.changed = make(chan struct{})
}

func bookmarkAt(version uint64, end bool) kit.Event[*kit.Pod] {
	p := kit.Pods.New()
	p.ResourceVersion = strconv.FormatUint(version, 10)
	if end {
		p.Annotations = map[string]string{kit.InitialEventsEnd: "true"}
	}
	return kit.Event[*kit.Pod]{Type: kit.Bookmark, Object: p}
}

// refuse sets what List and Watch return; nil lets them work again.
func (s *source) refuse(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refusal = err
}

// last is what was asked last.
func (s *source) last() kit.ListOptions {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.asked) == 0 {
		return kit.ListOptions{}
	}
	return s.asked[len(s.asked)-1]
}

// begun are the watches that have begun so far.
func (s *source) begun() []*sourceWatch {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.watches)
}

// live is how many watches run.
func (s *source) live() int {
	n := 0
	for _, w := range s.begun() {
		if !probe.Closed(w.done) {
			n++
		}
	}
	return n
}

// unended is how many watches were neither stopped nor have a context that is done.
func (s *source) unended() int {
	n := 0
	for _, w := range s.begun() {
		if !probe.Closed(w.stopped) && w.ctx.Err() == nil {
			n++
		}
	}
	return n
}

// events are those that have come after version, as texts.
func (s *source) events(version uint64) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []string{}
	for _, e := range s.log {
		if e.version > version {
			out = append(out, listwatch.Show(e.event))
		}
	}
	return out
}

// List returns the objects.
func (s *source) List(ctx context.Context, options kit.ListOptions) (kit.List[*kit.Pod], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, options)
	call := s.a.Callback("List(%s)", listwatch.Options(options))
	if s.refusal != nil {
		call.Returned("%v", s.refusal)
		return s.list(options.Namespace), s.refusal // a list beside an error counts for nothing
	}
	list := s.list(options.Namespace)
	call.Returned("%s @%s", conform.Show(list.Items), list.ResourceVersion)
	return list, ctx.Err()
}

// held is what a list of a namespace has to be.
func (s *source) held(namespace string) kit.List[*kit.Pod] {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.list(namespace)
}

// list is called with the lock held.
func (s *source) list(namespace string) kit.List[*kit.Pod] {
	list := kit.List[*kit.Pod]{ResourceVersion: strconv.FormatUint(s.version, 10)}
	if namespace != "" {
		list.Items = []*kit.Pod{} // a source may say nothing in either way
	}
	for _, key := range slices.Sorted(maps.Keys(s.pods)) {
		if p := s.pods[key]; namespace == "" || namespace == p.Namespace {
			list.Items = append(list.Items, p.DeepCopy())
		}
	}
	return list
}

// Watch begins a watch.
func (s *source) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, options)
	call := s.a.Callback("Watch(%s)", listwatch.Options(options))
	if s.refusal != nil {
		call.Returned("%v", s.refusal)
		return nil, s.refusal
	}
	call.Returned("a watch")
	w := &sourceWatch{source: s, ctx: ctx, options: options, result: make(chan kit.Event[*kit.Pod]), stopped: make(chan struct{}), done: make(chan struct{}), over: s.over}
	w.place(s)
	s.watches = append(s.watches, w)
	go w.run(ctx)
	return w, nil
}

// sourceWatch is one watch of a source.
type sourceWatch struct {
	source  *source
	ctx     context.Context // what its caller gave it
	options kit.ListOptions
	first   []kit.Event[*kit.Pod] // the initial events
	next    int                   // the place in the log
	above   uint64                // only changes above this version
	result  chan kit.Event[*kit.Pod]
	once    sync.Once
	stopped chan struct{} // closed by Stop
	done    chan struct{} // closed when the watch has ended
	over    chan struct{} // closed when the source ends its watches
	taken   atomic.Int64  // events that were handed over
}

// place is called with the source's lock held.
func (w *sourceWatch) place(s *source) {
	version, err := strconv.ParseUint(w.options.ResourceVersion, 10, 64)
	w.above = version
	if err == nil && version > 0 && !w.options.SendInitialEvents {
		return
	}
	w.next = len(s.log)
	for _, key := range slices.Sorted(maps.Keys(s.pods)) {
		w.first = append(w.first, kit.Event[*kit.Pod]{Type: kit.Added, Object: s.pods[key]})
	}
	if w.options.SendInitialEvents {
		w.first = append(w.first, bookmarkAt(s.version, true))
	}
}

// Stop ends the watch.
func (w *sourceWatch) Stop() { w.once.Do(func() { close(w.stopped) }) }

// ResultChan delivers the events.
func (w *sourceWatch) ResultChan() <-chan kit.Event[*kit.Pod] { return w.result }

func (w *sourceWatch) run(ctx context.Context) {
	defer close(w.done)
	defer close(w.result)
	if s := w.options.TimeoutSeconds; s > 0 && s < 1<<32 { // what is longer is for ever
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(w.options.TimeoutSeconds)*time.Second)
		defer cancel()
	}
	for {
		event, more, changed := w.take()
		var out chan kit.Event[*kit.Pod]
		if more {
			out, changed = w.result, nil
		}
		select {
		case out <- event:
			w.taken.Add(1)
		case <-changed:
		case <-ctx.Done():
			w.ends("its context is done")
			return
		case <-w.stopped:
			w.ends("it was stopped")
			return
		case <-w.over:
			w.ends("the source ends it")
			return
		}
	}
}

func (w *sourceWatch) ends(why string) {
	w.source.a.Note("the watch %s ends: %s", listwatch.Options(w.options), why)
}

// take takes the next event, if there is one; changed is closed when there may be.
func (w *sourceWatch) take() (event kit.Event[*kit.Pod], more bool, changed <-chan struct{}) {
	if len(w.first) > 0 {
		event, w.first = w.first[0], w.first[1:]
		return mine(event), true, nil
	}
	w.source.mu.Lock()
	defer w.source.mu.Unlock()
	for w.next < len(w.source.log) {
		e := w.source.log[w.next]
		w.next++
		if e.version != 0 && e.version <= w.above {
			continue
		}
		if e.event.Object != nil && w.options.Namespace != "" && e.event.Type != kit.Bookmark && e.event.Object.Namespace != w.options.Namespace {
			continue
		}
		return mine(e.event), true, nil
	}
	return event, false, w.source.changed
}

// mine is an event with an object, or a Status, of its own.
func mine(e kit.Event[*kit.Pod]) kit.Event[*kit.Pod] {
	if e.Object != nil {
		e.Object = e.Object.DeepCopy()
	}
	if e.Status != nil {
		status := *e.Status
		e.Status = &status
	}
	return e
}

// handed is a source whose watches bring certain events, the same to each watch, and whose Stop takes a second.
type handed struct {
	*source
	events []kit.Event[*kit.Pod]
	over   bool         // a watch ends behind them
	begins func()       // called by Watch, if there is one
	left   func() int   // how many events of the last watch nobody has taken
	stops  atomic.Int64 // how many calls of Stop have returned
}

// Watch begins a watch.
func (h *handed) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[*kit.Pod], error) {
	h.a.Callback("Watch(%s)", listwatch.Options(options)).Returned("a watch")
	if h.begins != nil {
		h.begins()
	}
	w := handedWatch{h, make(chan kit.Event[*kit.Pod], len(h.events)), nil}
	h.left = func() int { return len(w.result) }
	w.end = sync.OnceFunc(func() { close(w.result) })
	for _, e := range h.events {
		w.result <- e
	}
	if h.over {
		w.end()
	}
	context.AfterFunc(ctx, w.end)
	return w, nil
}

type handedWatch struct {
	source *handed
	result chan kit.Event[*kit.Pod]
	end    func()
}

// Stop ends the watch.
func (w handedWatch) Stop() {
	w.end()
	time.Sleep(time.Second)
	w.source.stops.Add(1)
}

// ResultChan delivers the events.
func (w handedWatch) ResultChan() <-chan kit.Event[*kit.Pod] { return w.result }

// waitsFor requires that each watch that has begun after the first so many has a context that is not done:
// the client waits. It is for bubbles.
func (s *source) waitsFor(t *conform.T, path string, before int) {
	for _, w := range s.begun()[before:] {
		t.Require(w.ctx.Err() == nil, "The client waits for the answer to GET %s, and the context that source.Watch got has ended (%v): it is that of the request, or one that ends with it.%s", path, w.ctx.Err(), own(w.ctx.Err()))
	}
}

// own says whose deadline it was, if one has passed.
func own(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return " The client gave it no deadline, and the timeoutSeconds are the source's business."
	}
	return ""
}

// gone requires that every watch of the source has ended. It is for bubbles, where
// nothing more happens by itself.
func (s *source) gone(t *conform.T, sentence string) {
	t.Wait()
	if n := s.live(); n > 0 {
		done := 0
		for _, w := range s.begun() {
			if !probe.Closed(w.done) && w.ctx.Err() != nil {
				done++
			}
		}
		t.Fatalf("%s Of the %d watches of the source %d have not ended, and the contexts that they were given have ended for %d of these.", sentence, len(s.begun()), n, done)
	}
}
