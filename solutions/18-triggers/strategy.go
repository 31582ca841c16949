package triggers

import "sync"

// Edge acts on what the notifications say, and on nothing else. The stub's
// documentation is the contract.
type Edge struct {
	cluster Cluster

	mu     sync.Mutex // guards events
	events []Event
}

// NewEdge returns an Edge that acts on cluster.
func NewEdge(cluster Cluster) *Edge { return &Edge{cluster: cluster} }

// Notify takes note of e.
func (s *Edge) Notify(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
}

// Work acts on every event that is noted and not yet acted on.
func (s *Edge) Work() {
	for _, e := range s.take() {
		if n := e.New.Missing() - e.Old.Missing(); n != 0 {
			// It is tempting to keep the event for another try. But then another event
			// must not overtake it, it must survive a restart, and somebody has to know
			// whether the first try did nothing or half: an edge has no second moment.
			_ = s.cluster.Scale(e.Key, n)
		}
	}
}

// take hands over the notes. The lock is held for the exchange of a slice and not
// while Work calls the cluster: a Notify that comes from within such a call would
// wait for its own caller.
func (s *Edge) take() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	events := s.events
	s.events = nil
	return events
}

// Level takes from an event only that it should look. It compares the state that it
// reads with the state that is wanted, and closes the gap. The states in the event,
// old or new, play no part.
type Level struct {
	cluster Cluster

	mu    sync.Mutex      // guards noted
	noted map[string]bool // the set is what makes ten events one look
}

// NewLevel returns a Level that acts on cluster.
func NewLevel(cluster Cluster) *Level {
	return &Level{cluster: cluster, noted: map[string]bool{}}
}

// Notify notes the key of e, and lets go of the rest.
func (s *Level) Notify(e Event) { s.note(e.Key) }

// Work looks at every app that is noted.
func (s *Level) Work() {
	for key := range s.take() {
		if err := s.reconcile(key); err != nil {
			s.note(key) // the gap is still there: the next Work sees it as it is then
		}
	}
}

// reconcile closes the gap between what is wanted and what runs. It keeps no memory
// of what it did before, so running it again does no harm: where there is no gap,
// it writes nothing.
func (s *Level) reconcile(key string) error {
	n := s.cluster.Get(key).Missing()
	if n == 0 {
		return nil
	}
	return s.cluster.Scale(key, n)
}

func (s *Level) note(keys ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, key := range keys {
		s.noted[key] = true
	}
}

// take hands over the notes and starts an empty set, before anything is read. A note
// that comes after this is for the next Work: the change happened before the note,
// the note before that Work takes it, and the take before its Get, so that Get sees
// the change. Wiping the notes after the work would wipe those that came after the
// look.
func (s *Level) take() map[string]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	noted := s.noted
	s.noted = map[string]bool{}
	return noted
}

// LevelResync is a Level that in addition looks at everything now and then.
type LevelResync struct {
	level  *Level
	period int
	works  int // calls of Work so far; only Work uses it, one call at a time
}

// NewLevelResync returns a LevelResync that looks at everything in every
// period-th Work, or never if period is not above zero.
func NewLevelResync(cluster Cluster, period int) *LevelResync {
	return &LevelResync{level: NewLevel(cluster), period: period}
}

// Notify notes the key of e.
func (s *LevelResync) Notify(e Event) { s.level.Notify(e) }

// Work does what Level.Work does, and in every period-th call with every app.
func (s *LevelResync) Work() {
	s.works++
	if s.period > 0 && s.works%s.period == 0 {
		// A resync adds notes and does no work of its own. So a key that an event
		// named too is looked at once, and there is one way of reconciling, not two.
		s.level.note(s.level.cluster.Keys()...)
	}
	s.level.Work()
}

var (
	_ Strategy = (*Edge)(nil)
	_ Strategy = (*Level)(nil)
	_ Strategy = (*LevelResync)(nil)
)
