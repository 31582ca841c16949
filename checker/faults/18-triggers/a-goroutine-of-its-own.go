//go:build ignore

// Mistake: A goroutine that owns the events needs no lock. A strategy is never closed, and the goroutine
//   never ends.
// Killed by: notify-only-notes
// Verdict: goroutine-leak

package triggers

type Edge struct {
	cluster Cluster

	notes chan Event
	takes chan []Event
}

func NewEdge(cluster Cluster) *Edge {
	s := &Edge{cluster: cluster, notes: make(chan Event), takes: make(chan []Event)}
	go s.own()
	return s
}

func (s *Edge) own() {
	var events []Event
	for {
		select {
		case e := <-s.notes:
			events = append(events, e)
		case s.takes <- events:
			events = nil
		}
	}
}

func (s *Edge) Notify(e Event) { s.notes <- e }

func (s *Edge) take() []Event { return <-s.takes }
