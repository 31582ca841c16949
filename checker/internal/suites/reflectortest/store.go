package reflectortest

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
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
	before   []string   // the reflector's version during each of calls
	replaces int
	resyncs  []time.Duration
	content  map[string]string // what the calls add up to: name → version
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
	s.record(what, func() {
		if version == "" {
			delete(s.content, p.Name)
		} else {
			s.content[p.Name] = version
		}
	})
	if s.onChange != nil {
		return s.onChange(p)
	}
	return nil
}

// Replace writes a list down, sorted by name.
func (s *store) Replace(list []*kit.Pod, version string) error {
	var names []string
	content := map[string]string{}
	for _, p := range list {
		names = append(names, short(p))
		content[p.Name] = p.ResourceVersion
	}
	slices.Sort(names)
	var n int
	s.record(fmt.Sprintf("Replace [%s] %s", strings.Join(names, " "), version), func() {
		s.content = content
		s.replaces++
		n = s.replaces
	})
	if s.onReplace != nil {
		return s.onReplace(n)
	}
	return nil
}

// record looks at the reflector's version before it takes the lock: nothing but
// the reflector orders that look.
func (s *store) record(what string, apply func()) {
	before := s.version()
	s.actor.Note("%s (version so far %q)", what, before)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, what)
	s.before = append(s.before, before)
	apply()
}

// Resync writes down when it was called.
func (s *store) Resync() error {
	s.actor.Note("Resync")
	s.mu.Lock()
	s.resyncs = append(s.resyncs, s.t.Elapsed())
	n := len(s.resyncs)
	s.mu.Unlock()
	if s.onResync != nil {
		return s.onResync(n)
	}
	return nil
}

// expect ends the case at the first change that is not the one that was due.
func (s *store) expect(sentence string, want ...string) {
	listwatch.Same(s.t, want, s.heard(), sentence)
}

// heard is every change so far, in order.
func (s *store) heard() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// versions is what the reflector's version was during each change.
func (s *store) versions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.before)
}

// resynced is when Resync was called.
func (s *store) resynced() []time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.resyncs)
}
