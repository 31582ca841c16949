package reconcilertest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var errBoom = errors.New("boom")

// source is a Source that a case has in its hands.
type source struct {
	onStart func(ctx context.Context, q Queue) error // nil does nothing
	onSync  func(ctx context.Context) error          // nil has synced

	a *conform.Actor // nil is in no history

	mu      sync.Mutex // guards the fields below
	started int
	ctx     context.Context
	over    int  // how many Starts have returned
	early   bool // WaitForSync was called before one had
}

// shown has the history of t show what is asked of s.
func (s *source) shown(t *conform.T) *source {
	s.a = t.Named("source")
	return s
}

func (s *source) Start(ctx context.Context, q Queue) (err error) {
	if s.a != nil {
		call := s.a.Callback("Start(ctx, queue)")
		defer func() { call.Returned("%v", err) }()
	}
	s.mu.Lock()
	s.started++
	s.ctx = ctx
	if s.a != nil {
		if s.started > 1 {
			s.a.Breaks("The source is started for the second time.")
		}
		context.AfterFunc(ctx, func() { s.a.Note("the ctx of its Start is done") })
	}
	s.mu.Unlock()
	defer s.returned()
	if s.onStart == nil {
		return nil
	}
	return s.onStart(ctx, q)
}

func (s *source) WaitForSync(ctx context.Context) (err error) {
	if s.a != nil {
		call := s.a.Callback("WaitForSync(ctx)")
		defer func() { call.Returned("%v", err) }()
	}
	s.mu.Lock()
	s.early = s.early || s.over == 0
	s.mu.Unlock()
	if s.onSync == nil {
		return nil
	}
	return s.onSync(ctx)
}

// starts is how often the source was started, and with which ctx.
func (s *source) starts() (int, context.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started, s.ctx
}

func (s *source) returned() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over++
}

// asked reports whether WaitForSync was called before Start had returned.
func (s *source) asked() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.early
}

// adding is a source that adds requests when it is started. It syncs some time after its
// Start, as an informer does, whenever WaitForSync is called; and never without a Start.
func adding(t *conform.T, after time.Duration, names ...string) *source {
	synced := make(chan struct{})
	s := &source{
		onStart: func(_ context.Context, q Queue) error {
			for _, name := range names {
				q.Add(named(name))
			}
			time.AfterFunc(after, sync.OnceFunc(func() { close(synced) }))
			return nil
		},
		onSync: func(ctx context.Context) error { return either(ctx, synced) },
	}
	return s.shown(t)
}

// failing is a source whose Start fails after some time.
func failing(t *conform.T, after time.Duration, err error) *source {
	s := &source{onStart: func(ctx context.Context, _ Queue) error {
		_ = within(ctx, after)
		return err
	}}
	return s.shown(t)
}

// either is nil when c is closed, or an error if ctx is done before.
func either(ctx context.Context, c <-chan struct{}) error {
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// within is nil after that time, or an error if ctx is done before.
func within(ctx context.Context, after time.Duration) error {
	timer := time.NewTimer(after)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// informer is a kit.SharedInformer that follows a script. Its HasSynced is true from
// the beginning: it is the registrations that a source has to ask.
type informer struct {
	a        *conform.Actor
	refuses  error
	shutdown chan struct{} // ShutdownChan of the registrations

	mu      sync.Mutex // guards the fields below
	handler kit.ResourceEventHandler[*kit.Pod]
	synced  bool
	ran     bool
	period  bool   // a handler came with a resync period of its own
	removed bool   // RemoveEventHandler was called
	written string // which object was changed by its handler; "" for none
}

func newInformer(t *conform.T) *informer { return &informer{a: t.Named("informer")} }

func (i *informer) AddEventHandler(h kit.ResourceEventHandler[*kit.Pod]) (kit.Registration, error) {
	if i.refuses != nil {
		i.a.Callback("AddEventHandler(a handler)").Returned("%v", i.refuses)
		return nil, i.refuses
	}
	i.a.Callback("AddEventHandler(a handler)").Returned("a registration")
	i.mu.Lock()
	defer i.mu.Unlock()
	i.handler = h
	return registration{i}, nil
}

func (i *informer) AddEventHandlerWithResyncPeriod(h kit.ResourceEventHandler[*kit.Pod], period time.Duration) (kit.Registration, error) {
	i.a.Note("is called: AddEventHandlerWithResyncPeriod(a handler, %v)", period)
	i.mu.Lock()
	i.period = true
	i.mu.Unlock()
	return i.AddEventHandler(h)
}

// hasPeriod reports whether a handler came with a resync period of its own.
func (i *informer) hasPeriod() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.period
}

// RemoveEventHandler has nobody hear of anything from now on.
func (i *informer) RemoveEventHandler(kit.Registration) error {
	i.a.Callback("RemoveEventHandler(its registration)").Returned("nil")
	i.mu.Lock()
	defer i.mu.Unlock()
	i.removed = true
	i.handler = kit.ResourceEventHandlerFuncs[*kit.Pod]{}
	return nil
}

// Run is for those who own the informer.
func (i *informer) Run(context.Context) {
	i.a.Callback("Run(ctx)").Returned("")
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ran = true
}

// wasRun reports whether Run was called.
func (i *informer) wasRun() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.ran
}

func (i *informer) GetIndexer() kit.Indexer[*kit.Pod] { return nil }
func (i *informer) IsStopped() bool                   { return false }

func (i *informer) HasSynced() bool {
	i.a.Callback("HasSynced() of the informer").Returned("true")
	return true
}

// registration is what the informer gives out. It is another type than the informer, for the
// two answer HasSynced differently.
type registration struct{ *informer }

func (r registration) HasSynced() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.synced
}

func (r registration) ShutdownChan() <-chan struct{} { return r.shutdown }

// sync makes the registration say that the handler has heard of everything.
func (i *informer) sync() {
	i.a.Note("the handler has heard of everything: HasSynced of its registration is true from now on")
	i.mu.Lock()
	defer i.mu.Unlock()
	i.synced = true
}

// tell is what there is to call. It is nil as long as nobody listens.
func (i *informer) tell() kit.ResourceEventHandler[*kit.Pod] {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.handler
}

// keeps requires that nobody has removed the handler, and no handler has changed an object. The ctx of the source is
// not done.
func (i *informer) keeps(t *conform.T) {
	i.mu.Lock()
	defer i.mu.Unlock()
	t.Require(!i.removed, "RemoveEventHandler of the informer was called, and the ctx of the source's Start is not done: the source goes on until it is, whatever becomes of the ctx of its WaitForSync.")
	t.Require(i.written == "", "The handler of an event changed its object: %s. All who read the informer's cache share it, and a source changes none.", i.written)
}

// holds looks whether an event leaves its objects as they are.
func (i *informer) holds(objs ...*kit.Pod) (then func()) {
	var before []*kit.Pod
	for _, p := range objs {
		before = append(before, p.DeepCopy())
	}
	return func() {
		for n, p := range objs {
			if !reflect.DeepEqual(p, before[n]) {
				i.a.Breaks("%v was changed by the handler.", p)
				i.mu.Lock()
				i.written = fmt.Sprintf("of %v, %s", kit.RequestFor(p), conform.Changes(before[n], p))
				i.mu.Unlock()
			}
		}
	}
}

func (i *informer) add(p *kit.Pod, initial bool) {
	defer i.holds(p)()
	i.a.Do(func() { i.tell().OnAdd(p, initial) }, "calls OnAdd(%v, %t)", p, initial)
}

func (i *informer) update(old, p *kit.Pod) {
	defer i.holds(old, p)()
	i.a.Do(func() { i.tell().OnUpdate(old, p) }, "calls OnUpdate(%v, %v)", old, p)
}

func (i *informer) remove(p *kit.Pod, unknown bool) {
	defer i.holds(p)()
	i.a.Do(func() { i.tell().OnDelete(p, unknown) }, "calls OnDelete(%v, %t)", p, unknown)
}

// pod is a pod at a version.
func pod(name string, version int) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.ResourceVersion = "shop", name, strconv.Itoa(version)
	return p
}

// owned is a pod that belongs to somebody.
func owned(name string, version int, owners ...kit.OwnerReference) *kit.Pod {
	p := pod(name, version)
	p.OwnerReferences = owners
	return p
}

// listening starts a source of the subject by itself, in front of a queue that nobody reads, and
// waits until it has synced.
func listening(t *conform.T, s Source, i *informer, q Queue) (stop func()) {
	ctx, cancel := t.WithCancel(t.Context(), "the source's ctx")
	begin(t, s, ctx, q)
	i.sync()
	syncs(t, s, ctx)
	return cancel
}

// syncs calls WaitForSync of a source whose handler has heard of everything.
func syncs(t *conform.T, s Source, ctx context.Context) {
	err := conform.Do(t.Actor, func() error { return s.WaitForSync(ctx) }, "WaitForSync(ctx)")
	t.Require(err == nil, "The handler has synced, and WaitForSync returned %q. nil was due.", err)
}

// begin starts a source and waits until it listens.
func begin(t *conform.T, s Source, ctx context.Context, q Queue) {
	err := conform.Do(t.Actor, func() error { return s.Start(ctx, q) }, "the source's Start(ctx, queue)")
	t.Require(err == nil, "The informer took the handler, and the Start of the source returned %q. nil was due.", err)
	t.Wait()
}

// made is a source of the subject, made by f, which is called what.
func made(t *conform.T, what string, f func() Source) Source {
	var s Source
	t.Do(func() { s = f() }, "%s", what)
	return s
}
