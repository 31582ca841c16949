package reflectortest

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// store writes down what a reflector brings to it.
type store struct {
	t       *conform.T
	actor   *conform.Actor
	version func() string // the reflector's version, looked at from inside each method

	// The scripts decide what a method returns; nil is for no error.
	onReplace func(n int) error
	onChange  func(p *kit.Pod) error
	onResync  func(n int) error

	mu       sync.Mutex // guards the fields below
	calls    []string   // Replace, Add, Update and Delete, in order
	plan     plan
	replaces int
	resyncs  []time.Duration
	beat     plan              // of the resyncs
	period   time.Duration     // that is between two resyncs at least; the first shorter one is marked
	versions []string          // that the reflector should have during each of calls
	early    string            // how the first other one differs
	content  map[string]string // what the calls add up to: name → version
	kept     []slice           // that of each Replace
}

var _ kit.DeltaStore[*kit.Pod] = (*store)(nil)

func newStore(t *conform.T) *store {
	return &store{t: t, actor: t.Named("store"), content: map[string]string{}}
}

// Add writes one change down.
func (s *store) Add(p *kit.Pod) error { return s.change("Add", p, p.ResourceVersion) }

// Update writes one change down.
func (s *store) Update(p *kit.Pod) error { return s.change("Update", p, p.ResourceVersion) }

// Delete writes one change down.
func (s *store) Delete(p *kit.Pod) error { return s.change("Delete", p, "") }

func (s *store) change(method string, p *kit.Pod, version string) error {
	what := fmt.Sprintf("%s %s", method, short(p))
	call := s.record(what, func() {
		if version == "" {
			delete(s.content, p.Name)
		} else {
			s.content[p.Name] = version
		}
	})
	var err error
	if s.onChange != nil {
		err = s.onChange(p)
	}
	call.Returned("%v", err)
	return err
}

// Replace writes a list down, sorted by name.
func (s *store) Replace(list []*kit.Pod, version string) error {
	content := map[string]string{}
	for _, p := range list {
		if p != nil {
			content[p.Name] = p.ResourceVersion
		}
	}
	var n int
	call := s.record(fmt.Sprintf("Replace %s %s", sorted(list), version), func() {
		s.content = content
		s.kept = append(s.kept, slice{list, slices.Clone(list), inOrder(list)})
		s.replaces++
		n = s.replaces
	})
	var err error
	if s.onReplace != nil {
		err = s.onReplace(n)
	}
	call.Returned("%v", err)
	return err
}

// slice is one that Replace was called with, and a copy of what it had in it then.
type slice struct {
	list, then []*kit.Pod
	text       string
}

// sorted is the objects of a list, by name.
func sorted(list []*kit.Pod) string {
	names := shorts(list)
	slices.Sort(names)
	return fmt.Sprint(names)
}

// inOrder is the objects of a list as they come.
func inOrder(list []*kit.Pod) string { return fmt.Sprint(shorts(list)) }

func shorts(list []*kit.Pod) []string {
	var names []string
	for _, p := range list {
		names = append(names, short(p))
	}
	return names
}

// keepsItsSlices requires that the slice of each Replace has in it what it had then, in the same
// order. The reflector has to be at rest.
func (s *store) keepsItsSlices() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.kept {
		now := inOrder(k.list)
		if now == k.text && !slices.Equal(k.list, k.then) {
			now = "the same by name, and its objects were others"
		}
		s.t.Require(now == k.text, "Replace was called with the slice %s, which the store kept. Later that slice was %s: it belongs to the store from then on, and nobody else may change it.", k.text, now)
	}
}

// record looks at the reflector's version before it takes the lock: nothing but
// the reflector orders that look.
func (s *store) record(what string, apply func()) conform.Call {
	call := s.actor.Call("%s", what)
	before := s.version()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, what)
	s.plan.comes(s.actor, what, s.t.Elapsed())
	s.published(what, before)
	apply()
	return call
}

// published compares the reflector's version during a change with the one that is due. The
// caller holds mu.
func (s *store) published(what, version string) {
	n := len(s.calls)
	if n > len(s.versions) || s.early != "" || version == s.versions[n-1] {
		return
	}
	s.early = fmt.Sprintf("While the store was still busy with %s, LastSyncResourceVersion returned %q, and %q was due.", what, version, s.versions[n-1])
	s.actor.Breaks("%s", s.early)
}

// Resync writes down when it was called.
func (s *store) Resync() error {
	call := s.actor.Call("Resync")
	s.mu.Lock()
	at := s.t.Elapsed()
	if n := len(s.resyncs); n > 0 && at-s.resyncs[n-1] < s.period {
		s.actor.Breaks("Resync comes %v after the one before, and the period is %v.", at-s.resyncs[n-1], s.period)
		s.period = 0
	}
	s.resyncs = append(s.resyncs, at)
	s.beat.comes(s.actor, "Resync", at)
	n := len(s.resyncs)
	s.mu.Unlock()
	var err error
	if s.onResync != nil {
		err = s.onResync(n)
	}
	call.Returned("%v", err)
	return err
}

// expect says which changes are due. The sentence says which rule any other breaks.
func (s *store) expect(sentence string, want ...string) {
	changes := make([]due, len(want))
	for i, what := range want {
		changes[i] = due{anytime, what}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan = newPlan("Change", sentence, s.t.Elapsed(), changes...)
}

// expectVersions says which version the reflector should have during each of the changes.
func (s *store) expectVersions(want ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.versions = want
}

// expectResyncs says when the resyncs are due, counted from now.
func (s *store) expectResyncs(sentence string, want ...time.Duration) {
	calls := make([]due, len(want))
	last := time.Duration(0)
	for i, at := range want {
		calls[i] = due{at - last, "Resync"}
		last = at
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat = newPlan("Call", sentence, s.t.Elapsed(), calls...)
}

// asExpected ends the case if what has come so far is not what was to be expected. It takes its
// time if something is overdue.
func (s *store) asExpected() {
	plan := s.plan.end(&s.mu)
	for _, wrong := range []string{plan, s.tooEarly(), s.beat.end(&s.mu)} {
		if wrong != "" {
			s.t.Fatalf("%s", wrong)
		}
	}
}

// tooEarly says how the version was there before its change, "" if it was not.
func (s *store) tooEarly() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.early
}

// heard is every change so far, in order.
func (s *store) heard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// resynced is when Resync was called.
func (s *store) resynced() []time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.resyncs)
}
