package reconcilertest

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var errBoom = errors.New("boom")

// source is a Source that a case has in its hands.
type source struct {
	onStart func(ctx context.Context, q Queue) error // nil does nothing
	onSync  func(ctx context.Context) error          // nil has synced

	mu      sync.Mutex // guards the fields below
	started int
	ctx     context.Context
}

func (s *source) Start(ctx context.Context, q Queue) error {
	s.mu.Lock()
	s.started++
	s.ctx = ctx
	s.mu.Unlock()
	if s.onStart == nil {
		return nil
	}
	return s.onStart(ctx, q)
}

func (s *source) WaitForSync(ctx context.Context) error {
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

// adding is a source that adds requests when it is started. It syncs some time after its
// Start, as an informer does, whenever WaitForSync is called; and never without a Start.
func adding(after time.Duration, names ...string) *source {
	synced := make(chan struct{})
	return &source{
		onStart: func(_ context.Context, q Queue) error {
			for _, name := range names {
				q.Add(named(name))
			}
			time.AfterFunc(after, sync.OnceFunc(func() { close(synced) }))
			return nil
		},
		onSync: func(ctx context.Context) error { return either(ctx, synced) },
	}
}

// failing is a source whose Start fails after some time.
func failing(after time.Duration, err error) *source {
	return &source{onStart: func(ctx context.Context, _ Queue) error {
		_ = within(ctx, after)
		return err
	}}
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
	a       *conform.Actor
	refuses error

	mu      sync.Mutex // guards handler and synced
	handler kit.ResourceEventHandler[*kit.Pod]
	synced  bool
}

func newInformer(t *conform.T) *informer { return &informer{a: t.Named("informer")} }

func (i *informer) AddEventHandler(h kit.ResourceEventHandler[*kit.Pod]) (kit.Registration, error) {
	if i.refuses != nil {
		return nil, i.refuses
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.handler = h
	return registration{i}, nil
}

func (i *informer) AddEventHandlerWithResyncPeriod(h kit.ResourceEventHandler[*kit.Pod], _ time.Duration) (kit.Registration, error) {
	return i.AddEventHandler(h)
}

func (i *informer) RemoveEventHandler(kit.Registration) error { return nil }
func (i *informer) GetIndexer() kit.Indexer[*kit.Pod]         { return nil }
func (i *informer) Run(context.Context)                       {}
func (i *informer) HasSynced() bool                           { return true }
func (i *informer) IsStopped() bool                           { return false }

// registration is what the informer gives out. It is another type than the informer, for the
// two answer HasSynced differently.
type registration struct{ *informer }

func (r registration) HasSynced() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.synced
}

func (r registration) ShutdownChan() <-chan struct{} { return nil }

// sync makes the registration say that the handler has heard of everything.
func (i *informer) sync() {
	i.a.Note("the handler has synced")
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

func (i *informer) add(p *kit.Pod, initial bool) {
	i.a.Note("OnAdd(%s, %t)", p.Name, initial)
	i.tell().OnAdd(p, initial)
}

func (i *informer) update(old, p *kit.Pod) {
	i.a.Note("OnUpdate(%s@%s, @%s)", p.Name, old.ResourceVersion, p.ResourceVersion)
	i.tell().OnUpdate(old, p)
}

func (i *informer) remove(p *kit.Pod, unknown bool) {
	i.a.Note("OnDelete(%s, %t)", p.Name, unknown)
	i.tell().OnDelete(p, unknown)
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
	ctx, cancel := context.WithCancel(t.Context())
	begin(t, s, ctx, q)
	i.sync()
	err := conform.Do(t.Actor, func() error { return s.WaitForSync(ctx) }, "WaitForSync(ctx)")
	require.NoError(t, err, "WaitForSync failed though the handler has synced.")
	return cancel
}

// begin starts a source and waits until it listens.
func begin(t *conform.T, s Source, ctx context.Context, q Queue) {
	err := conform.Do(t.Actor, func() error { return s.Start(ctx, q) }, "the source's Start(ctx, queue)")
	require.NoError(t, err, "The Start of a source failed for no reason.")
	t.Wait()
}

// made is a source of the subject, made by f, which is called what.
func made(t *conform.T, what string, f func() Source) Source {
	var s Source
	t.Do(func() { s = f() }, "%s", what)
	return s
}
