//go:build ignore

// Mistake: A channel with room for 1,024 events is a list with a lock in it. Until nobody reads it for a
//   while.
// Killed by: notify-only-notes
// Verdict: deadlock

package triggers

type Edge struct {
	cluster Cluster

	events chan Event
}

func NewEdge(cluster Cluster) *Edge { return &Edge{cluster: cluster, events: make(chan Event, 1024)} }

func (s *Edge) Notify(e Event) {
	s.events <- e
}

func (s *Edge) take() []Event {
	var events []Event
	for range len(s.events) {
		events = append(events, <-s.events)
	}
	return events
}
