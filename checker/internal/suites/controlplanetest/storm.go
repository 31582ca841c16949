package controlplanetest

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"syscall"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// storm is the weather between components and the API server. Its numbers are set
// before the cluster is opened; over ends it for all connections.
type storm struct {
	t         *conform.T // tells the time; nil where nobody asks
	seed      uint64
	conflicts float64       // the part of updates that is refused
	cuts      float64       // the part of events before which a watch is cut
	lag       time.Duration // an event is late by up to so much

	mu    sync.Mutex // guards the fields below
	calm  bool
	apart map[string]bool          // components that reach nobody
	lives map[string]int           // how often each component has connected
	last  map[string]time.Duration // when each component connected last
	ghost string                   // a component that was heard of after its successor had connected
}

func (s *storm) over() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calm, s.apart = true, nil
}

// split cuts a component off, or lets it in again.
func (s *storm) split(component string, apart bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.apart == nil {
		s.apart = map[string]bool{}
	}
	s.apart[component] = apart
}

// reaches reports whether a request gets through, and keeps an eye on who sends it.
func (s *storm) reaches(component string, life int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if life != s.lives[component] {
		s.ghost = component
	}
	return !s.apart[component]
}

// born counts one more life of a component.
func (s *storm) born(component string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.lives == nil {
		s.lives, s.last = map[string]int{}, map[string]time.Duration{}
	}
	s.lives[component]++
	if s.t != nil {
		s.last[component] = s.t.Elapsed()
	}
	return s.lives[component]
}

// livesOf is how often a component has connected.
func (s *storm) livesOf(component string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lives[component]
}

// lived requires that a component has connected so often. Sentence says why. One that has
// connected too seldom gets another minute before the case fails: too late is not never.
func (s *storm) lived(t *conform.T, component string, want int, sentence string) {
	got, at := s.livesOf(component), t.Elapsed()
	if got == want {
		return
	}
	t.Breaks("%s has called Connect %s, and should have %s", component, conform.Count(got, "time"), conform.Count(want, "time"))
	then := fmt.Sprintf("It called Connect last at %v.", s.lastOf(component))
	if got < want {
		then += " " + s.later(want, component)
	}
	t.Fatalf("%s Each time that it starts, a component calls Connect. After %v %s has called it %s, and should have %s. %s", sentence, at, component, conform.Count(got, "time"), conform.Count(want, "time"), then)
}

// later waits for a component that is missing, and says when it came.
func (s *storm) later(want int, component string) string {
	for range 60 {
		time.Sleep(time.Second)
		if s.livesOf(component) >= want {
			return fmt.Sprintf("The next time it called it was later, at %v.", s.lastOf(component))
		}
	}
	return "A minute later it has not called it yet: either it was not started again, or it was and goes on with the connection of its last life, or what it ran before has not ended."
}

// lastOf is when a component connected last.
func (s *storm) lastOf(component string) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last[component]
}

// exorcised requires that no component was heard of after its successor.
func (s *storm) exorcised(t *conform.T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Require(s.ghost == "", "%s sent a request after its next life had connected: it runs twice at a time.", s.ghost)
}

// connect is the connection of a component in this weather.
func (s *storm) connect(component string, api API) API {
	life := s.born(component)
	return API{
		Deployments: newStormy(s, component, life, kit.Deployments, api.Deployments),
		ReplicaSets: newStormy(s, component, life, kit.ReplicaSets, api.ReplicaSets),
		Pods:        newStormy(s, component, life, kit.Pods, api.Pods),
		Nodes:       newStormy(s, component, life, kit.Nodes, api.Nodes),
		Events:      api.Events,
	}
}

// stormy is one type of a connection.
type stormy[T kit.Object] struct {
	Resource[T]
	s         *storm
	component string
	life      int
	typ       kit.Type[T]

	mu  sync.Mutex // guards rng
	rng *rand.Rand
}

func newStormy[T kit.Object](s *storm, component string, life int, typ kit.Type[T], calm Resource[T]) *stormy[T] {
	h := fnv.New64a()
	_, _ = h.Write([]byte(component + "/" + typ.Resource))
	return &stormy[T]{Resource: calm, s: s, component: component, life: life, typ: typ, rng: rand.New(rand.NewPCG(s.seed, h.Sum64()+uint64(life)))}
}

// draw is a number below 1, and 1 when the storm is over: it is below nothing then.
func (r *stormy[T]) draw() float64 {
	r.s.mu.Lock()
	calm := r.s.calm
	r.s.mu.Unlock()
	if calm {
		return 1
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rng.Float64()
}

func (r *stormy[T]) reach() error {
	if r.s.reaches(r.component, r.life) {
		return nil
	}
	return syscall.ECONNREFUSED
}

func (r *stormy[T]) Create(ctx context.Context, obj T) (T, error) {
	if err := r.reach(); err != nil {
		var none T
		return none, err
	}
	return r.Resource.Create(ctx, obj)
}

func (r *stormy[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	if err := r.reach(); err != nil {
		var none T
		return none, err
	}
	return r.Resource.Get(ctx, namespace, name)
}

func (r *stormy[T]) Update(ctx context.Context, obj T) (T, error) {
	var none T
	if err := r.reach(); err != nil {
		return none, err
	}
	if r.draw() < r.s.conflicts {
		return none, kit.NewConflict(r.typ.Resource, kit.Key(obj))
	}
	return r.Resource.Update(ctx, obj)
}

func (r *stormy[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	if err := r.reach(); err != nil {
		var none T
		return none, err
	}
	return r.Resource.Delete(ctx, namespace, name, options)
}

func (r *stormy[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if err := r.reach(); err != nil {
		return kit.List[T]{}, err
	}
	return r.Resource.List(ctx, options)
}

func (r *stormy[T]) Watch(ctx context.Context, options kit.ListOptions) (kit.Watch[T], error) {
	if err := r.reach(); err != nil {
		return nil, err
	}
	inner, err := r.Resource.Watch(ctx, options)
	if err != nil || r.s.cuts == 0 && r.s.lag == 0 {
		return inner, err
	}
	w := &stormyWatch[T]{inner: inner, out: make(chan kit.Event[T]), stopped: make(chan struct{})}
	go w.pump(r)
	return w, nil
}

// stormyWatch passes on what inner brings, late, and not to the end.
type stormyWatch[T kit.Object] struct {
	inner   kit.Watch[T]
	out     chan kit.Event[T]
	stopped chan struct{}
	stop    sync.Once
}

func (w *stormyWatch[T]) ResultChan() <-chan kit.Event[T] { return w.out }

func (w *stormyWatch[T]) Stop() {
	w.stop.Do(func() { close(w.stopped) })
	w.inner.Stop()
}

func (w *stormyWatch[T]) pump(r *stormy[T]) {
	defer close(w.out)
	defer w.inner.Stop()
	for e := range w.inner.ResultChan() {
		if r.draw() < r.s.cuts {
			return
		}
		if !w.late(r) {
			return
		}
		select {
		case w.out <- e:
		case <-w.stopped:
			return
		}
	}
}

// late waits as long as an event is late. It returns false if nobody waits for the event.
func (w *stormyWatch[T]) late(r *stormy[T]) bool {
	d := r.draw()
	if r.s.lag == 0 || d == 1 {
		return true
	}
	// Most events are quick and few are very late: the cube of an even draw.
	timer := time.NewTimer(time.Duration(float64(r.s.lag) * d * d * d))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-w.stopped:
		return false
	}
}

// ender stands between a component and what it runs, and can have that return.
type ender struct {
	mu  sync.Mutex              // guards end
	end context.CancelCauseFunc // of the run under way, or nil
}

// run runs until ctx is done, or until returns is called.
func (e *ender) run(ctx context.Context, run func(ctx context.Context) error) error {
	own, end := context.WithCancelCause(ctx)
	defer end(nil)
	e.set(end)
	defer e.set(nil)
	err := run(own)
	if cause := context.Cause(own); ctx.Err() == nil && cause != context.Canceled {
		return cause
	}
	return err
}

func (e *ender) set(end context.CancelCauseFunc) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.end = end
}

// returns has the run under way return this error, or nil. It reports whether there was one.
func (e *ender) returns(err error) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.end != nil {
		e.end(err)
	}
	return e.end != nil
}
