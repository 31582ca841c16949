// Package deltafifo is lab 14: the queue between the reflector, which learns
// of changes, and the cache, which follows them. It keeps for every object all that
// has happened to it since the consumer last looked.
package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

// Options of a DeltaFIFO. The zero value is good for use.
type Options[T kit.Object] struct {
	// KnownObjects is the cache that the consumer of the queue keeps. The queue asks
	// it which objects exist, in Delete, Replace and Resync. nil means that the queue
	// knows only the objects whose deltas are pending.
	//
	// The queue asks only while it holds its own lock, and process is called under
	// that lock. So a cache that only process changes needs no lock of its own, and never
	// changes while the queue looks at it.
	KnownObjects kit.KnownObjects[T]

	// Transformer changes an object before it is queued, usually to drop fields that
	// nobody reads: what it returns is queued in its place. It may change obj in place. It
	// must leave namespace and name as they are, and must not call the queue. nil changes
	// nothing.
	//
	// It is called under the lock of the queue, so never twice at once, nor while process
	// runs: once for each Added, Updated, Replaced or Deleted delta, and never for a Sync
	// delta or a tombstone, whose objects went through it when they first came in. Delete
	// calls it whenever the key is pending or known, also where an older deletion is kept;
	// for any other key Delete may call it or not.
	Transformer func(obj T) (T, error)
}

// DeltaFIFO is a first-in-first-out queue of keys (those of kit.Key). For each key it
// holds the deltas that wait for the consumer: what happened to that object, in
// order. A key is pending from its first delta until Pop takes it, with all of its
// deltas. Every method may be called from any goroutine.
//
// A key that becomes pending goes to the tail of the queue. Further deltas of a
// pending key are appended to those it has: it keeps its place and is in the queue
// once.
//
// Of two Deleted deltas of one key, one directly after the other, the queue keeps
// one: of a deletion that was seen and a tombstone, the one that was seen, whichever
// came first; of two that were seen, the older. It merges or drops no other deltas.
//
// Make a queue with New.
type DeltaFIFO[T kit.Object] struct {
	// The fields are yours.
}

var _ kit.DeltaQueue[*kit.Pod] = (*DeltaFIFO[*kit.Pod])(nil)

// New returns an empty queue.
func New[T kit.Object](options Options[T]) *DeltaFIFO[T] {
	panic(kit.TODO("New"))
}

// Add queues an Added delta. If the transformer fails, Add returns its error as it is
// and queues nothing. The same holds for Update and Delete.
func (f *DeltaFIFO[T]) Add(obj T) error {
	panic(kit.TODO("DeltaFIFO.Add"))
}

// Update queues an Updated delta.
func (f *DeltaFIFO[T]) Update(obj T) error {
	panic(kit.TODO("DeltaFIFO.Update"))
}

// Delete queues a Deleted delta, if the key of obj is pending or known. If it is
// neither, the consumer has never heard of the object, or has already heard that it
// is gone: Delete queues nothing, and that is no error, whatever the transformer says of obj.
func (f *DeltaFIFO[T]) Delete(obj T) error {
	panic(kit.TODO("DeltaFIFO.Delete"))
}

// Replace says that the objects of list are all there are. In one step
//
//   - it queues a Replaced delta for every object of list, in the order of list;
//   - then it queues a tombstone for every other key that is pending or known: a
//     Deleted delta with FinalStateUnknown, whose object is that of the newest
//     pending delta of the key or, if none is pending, the known one. Keys that
//     become pending by this stand behind the keys of list, in any order.
//
// Deltas that are pending stay. In particular, a key with a pending Deleted delta that
// is in list has both afterwards.
//
// If the transformer fails, Replace returns an error, queues no tombstone, and does not count
// as a first call (see HasSynced); how much of list it has queued by then is left open. The
// slice list stays the caller's: Replace does not write to it, nor to the rest of the array
// behind it, and, once it has returned, does not look at it. The resource version is not
// used.
func (f *DeltaFIFO[T]) Replace(list []T, resourceVersion string) error {
	panic(kit.TODO("DeltaFIFO.Replace"))
}

// Resync queues a Sync delta for every known object whose key is not pending, in
// any order. A pending key needs none: its deltas are newer than the known object.
func (f *DeltaFIFO[T]) Resync() error {
	panic(kit.TODO("DeltaFIFO.Resync"))
}

// Pop takes the key at the head of the queue with all of its deltas, the oldest
// first, calls process with them, and returns them and the result of process. While
// nothing is pending, it waits; every key that becomes pending lets one waiting Pop
// continue. Once the queue is closed and nothing is pending, it returns nil and
// kit.ErrFIFOClosed, itself and not wrapped.
//
// process is called under the lock of the queue: no Add, Update, Delete, Replace
// or Resync of another goroutine has any effect or returns until process has
// returned, and no other Pop calls its process. A call that queues nothing waits, too. So
// process can bring the known objects in step with the deltas before any other goroutine
// looks at either. It must not call the queue itself, and should be quick.
//
// isInInitialList is true if HasSynced was false when this Pop took the key.
//
// The deltas belong to the caller, who may change them and append to them: the queue never
// touches that slice again. An error of process changes nothing in the queue, and neither
// does a panic, which goes on to the caller of Pop: the popped deltas are gone, and a
// caller that wants to try again has to keep them.
func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	panic(kit.TODO("DeltaFIFO.Pop"))
}

// HasSynced reports whether the consumer has seen all that existed in the
// beginning. It is false at first, and once it is true it stays true.
//
// If Replace is the first call, it becomes true when as many keys have been popped
// as were pending when Replace returned: those of its list, each once however often
// it stands there, and those of its tombstones. With nothing pending it becomes true
// at once. Whether process fails or panics makes no difference. If Add, Update or Delete is
// the first call, that call makes it true, even a Delete that queues nothing or a call whose
// transformer fails. Resync and Close do not count.
//
// While process runs, HasSynced in another goroutine waits, or returns what it would have
// returned before that Pop: the last key counts when its process has returned. A Pop that
// waits delays neither HasSynced nor any other call.
func (f *DeltaFIFO[T]) HasSynced() bool {
	panic(kit.TODO("DeltaFIFO.HasSynced"))
}

// Close wakes every Pop that waits. What is pending can still be popped. It may be
// called more than once. Whether anything can be queued after Close, and what a call that
// would queue something returns then, is left open.
func (f *DeltaFIFO[T]) Close() {
	panic(kit.TODO("DeltaFIFO.Close"))
}
