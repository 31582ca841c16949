package triggers

import "github.com/controllerbook/controllerbook/labs/kit"

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
	// yours
}

// NewEdge returns an Edge that acts on cluster. It does not touch cluster yet.
func NewEdge(cluster Cluster) *Edge {
	panic(kit.TODO("NewEdge"))
}

// Notify takes note of e. It does not touch the cluster, and does not wait for
// a Work that is under way.
func (s *Edge) Notify(e Event) {
	panic(kit.TODO("Edge.Notify"))
}

// Work acts on every event that is noted and not yet acted on, one after the other, in
// the order in which they were noted, each once: it calls Scale with the change in
// Missing from Old to New, unless that is zero. It never calls Get or Keys. An error of Scale is
// dropped together with its event.
//
// What is noted while Work is under way is acted on in this Work or in the next.
func (s *Edge) Work() {
	panic(kit.TODO("Edge.Work"))
}

// Level takes from an event only that it should look. It compares the state that it
// reads with the state that is wanted, and closes the gap. The states in the event,
// old or new, play no part.
type Level struct {
	// yours
}

// NewLevel returns a Level that acts on cluster. It does not touch cluster yet.
func NewLevel(cluster Cluster) *Level {
	panic(kit.TODO("NewLevel"))
}

// Notify notes the key of e. It does not touch the cluster, and does not wait for
// a Work that is under way.
func (s *Level) Notify(e Event) {
	panic(kit.TODO("Level.Notify"))
}

// Work looks at every app that is noted, each once, however many events named it, in
// any order: it calls Get, once, and if pods are missing or too many, it calls Scale,
// once, with just that number. An app that needs nothing costs one Get and no write.
// Without a note Work does nothing at all. It never calls Keys.
//
// If Scale fails, the app stays noted: the next Work looks at it again, and this
// one goes on with the other apps, and does not try again by itself. Only where this Work looks
// at the app once more, for a newer note, and closes the gap, the next one need not look.
//
// A note that comes while Work is under way is never lost. The app is read by a Get that
// begins after the note, in this Work or in the next, even if this Work has already
// looked at it, or is just doing so. Each such note causes at most one look more, in this Work
// or in the next.
func (s *Level) Work() {
	panic(kit.TODO("Level.Work"))
}

// LevelResync is a Level that in addition looks at everything now and then, without
// any notification.
type LevelResync struct {
	// yours
}

// NewLevelResync returns a LevelResync that acts on cluster and looks at
// everything in every period-th Work: the period-th, the 2·period-th and so on.
// Every call of Work counts, with or without a note.
// With a period of zero or less it never does, and is a plain Level.
// NewLevelResync does not touch cluster.
func NewLevelResync(cluster Cluster, period int) *LevelResync {
	panic(kit.TODO("NewLevelResync"))
}

// Notify notes the key of e. It does not touch the cluster, and does not wait for
// a Work that is under way.
func (s *LevelResync) Notify(e Event) {
	panic(kit.TODO("LevelResync.Notify"))
}

// Work does what Level.Work does, apart from the resync: in every period-th call it first
// calls Keys, once, and notes every app that it returns. Work still looks only once at an
// app that was noted already, and it looks at one that is noted and that Keys does not
// return. A note that comes during Keys is one that comes while Work is under way.
func (s *LevelResync) Work() {
	panic(kit.TODO("LevelResync.Work"))
}
