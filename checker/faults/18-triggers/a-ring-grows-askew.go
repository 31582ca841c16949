//go:build ignore

// Mistake: Edge keeps its notes in a ring. When it grows, the notes are copied as they lie, and not from the oldest on.
// Killed by: notes-during-work-are-kept
// Verdict: wrong-answer

package triggers

import "sync"

type Edge struct {
	cluster Cluster

	mu    sync.Mutex
	ring  []Event
	head  int
	count int
}

func (s *Edge) Notify(e Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.count == len(s.ring) {
		grown := make([]Event, max(4, 2*len(s.ring)))
		copy(grown, s.ring)
		s.ring = grown
	}
	s.ring[(s.head+s.count)%len(s.ring)] = e
	s.count++
}

func (s *Edge) take() []Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	var events []Event
	for ; s.count > 0; s.count-- {
		events = append(events, s.ring[s.head])
		s.ring[s.head] = Event{}
		s.head = (s.head + 1) % len(s.ring)
	}
	return events
}
