package triggers

import (
	"slices"
	"sync/atomic"
)

// 18-b: lock-free stack of notes, eager Work (drains until nothing is left, failed
// apps are put aside for the next Work), the work itself in a goroutine of its own.

type note struct {
	e    Event
	next *note
}

type stack struct{ head atomic.Pointer[note] }

func (s *stack) push(e Event) {
	n := &note{e: e}
	for {
		n.next = s.head.Load()
		if s.head.CompareAndSwap(n.next, n) {
			return
		}
	}
}

// takeAll gives the notes, the oldest first.
func (s *stack) takeAll() []Event {
	var out []Event
	for n := s.head.Swap(nil); n != nil; n = n.next {
		out = append(out, n.e)
	}
	slices.Reverse(out)
	return out
}

func inGoroutine(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	<-done
}

// Edge acts on what the notifications say, and on nothing else.
//
// It believes each of them: if n more pods are missing in New than in Old, Edge starts n
// pods; if n fewer are missing, it stops n. It never reads the cluster. It does not
// know of a lost change, acts twice on a doubled notification, and drops what fails:
// the moment has passed. Once Work has returned, it keeps no event that it has dealt with,
// whether Scale was called, failed or was not needed, and even if newer events wait. It does
// not keep one in the unused part of an array either, before the first event that waits or behind
// the last: the garbage collector can free it.
type Edge struct {
	cluster Cluster
	notes   stack
}

// NewEdge returns an Edge that acts on cluster. It does not touch cluster yet.
func NewEdge(cluster Cluster) *Edge { return &Edge{cluster: cluster} }

// Notify takes note of e. It does not touch the cluster, and does not wait for
// a Work that is under way.
func (s *Edge) Notify(e Event) { s.notes.push(e) }

// Work acts on every event that is noted and not yet acted on, one after the other, in
// the order in which they were noted, each once: it calls Scale with the change in
// Missing from Old to New, unless that is zero. It never calls Get or Keys. An error of Scale is
// dropped together with its event.
//
// What is noted while Work is under way is acted on in this Work or in the next.
func (s *Edge) Work() {
	inGoroutine(func() {
		for events := s.notes.takeAll(); len(events) > 0; events = s.notes.takeAll() {
			for _, e := range events {
				if n := e.New.Missing() - e.Old.Missing(); n != 0 {
					_ = s.cluster.Scale(e.Key, n)
				}
			}
		}
	})
}

// Level takes from an event only that it should look. It compares the state that it
// reads with the state that is wanted, and closes the gap. The states in the event,
// old or new, play no part.
type Level struct {
	cluster Cluster
	notes   stack
	again   []string // whose Scale failed; Work's own
}

// NewLevel returns a Level that acts on cluster. It does not touch cluster yet.
func NewLevel(cluster Cluster) *Level { return &Level{cluster: cluster} }

// Notify notes the key of e. It does not touch the cluster, and does not wait for
// a Work that is under way.
func (s *Level) Notify(e Event) { s.notes.push(Event{Key: e.Key}) }

// Work looks at every app that is noted, each once, however many events named it, in
// any order: it calls Get, once, and if pods are missing or too many, it calls Scale,
// once, with just that number. An app that needs nothing costs one Get and no write.
// Without a note Work does nothing at all. It never calls Keys.
//
// If Scale fails, the app stays noted: the next Work looks at it again, and this
// one goes on with the other apps, and does not try again by itself.
//
// A note that comes while Work is under way is never lost. The app is read by a Get that
// begins after the note, in this Work or in the next, even if this Work has already
// looked at it, or is just doing so. For each such note, this Work or the next may look at the
// app once more.
func (s *Level) Work() { s.work(nil) }

func (s *Level) work(more func() []string) {
	inGoroutine(func() {
		todo := s.again
		if more != nil {
			todo = append(todo, more()...)
		}
		var failed []string
		for {
			for _, e := range s.notes.takeAll() {
				todo = append(todo, e.Key)
			}
			slices.Sort(todo)
			todo = slices.Compact(todo)
			if len(todo) == 0 {
				break
			}
			for _, key := range todo {
				if slices.Contains(failed, key) {
					continue // noted for the next Work anyway
				}
				if n := s.cluster.Get(key).Missing(); n != 0 {
					if s.cluster.Scale(key, n) != nil {
						failed = append(failed, key)
					}
				}
			}
			todo = nil
		}
		s.again = failed
	})
}

// LevelResync is a Level that in addition looks at everything now and then, without
// any notification.
type LevelResync struct {
	Level
	works, period uint64
}

// NewLevelResync returns a LevelResync that acts on cluster and looks at
// everything in every period-th Work: the period-th, the 2·period-th and so on.
// Every call of Work counts, with or without a note.
// With a period of zero or less it never does, and is a plain Level.
// NewLevelResync does not touch cluster.
func NewLevelResync(cluster Cluster, period int) *LevelResync {
	return &LevelResync{Level: Level{cluster: cluster}, period: uint64(max(period, 0))}
}

// Notify notes the key of e. It does not touch the cluster, and does not wait for
// a Work that is under way.
func (s *LevelResync) Notify(e Event) { s.Level.Notify(e) }

// Work does what Level.Work does, apart from the resync: in every period-th call it first
// calls Keys, once, and notes every app that it returns. Work still looks only once at an
// app that was noted already, and it looks at one that is noted and that Keys does not
// return. A note that comes during Keys is one that comes while Work is under way.
func (s *LevelResync) Work() {
	s.works++
	if s.period == 0 || s.works%s.period != 0 {
		s.Level.work(nil)
		return
	}
	s.Level.work(s.cluster.Keys)
}
