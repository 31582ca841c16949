// Package deltafifo is lab 14: the queue between the reflector, which learns
// of changes, and the cache, which follows them. It keeps for every object everything that
// has happened to it since the consumer last took it.
package deltafifo

import "github.com/controllerbook/controllerbook/labs/kit"

// Options of a DeltaFIFO. The zero value is ready to use.
type Options[T kit.Object] struct {
	// KnownObjects is the cache that the consumer of the queue keeps. The queue asks
	// it which objects exist, each time that Delete, Replace or Resync is called: an object is
	// known if GetByKey finds it, and ListKeys lists the keys of all known objects, each once.
	// If KnownObjects is nil, no object is known, and the queue goes by the pending deltas alone.
	//
	// The queue asks only while it holds its own lock, and process is called under
	// that lock. So a cache that only process changes needs no lock of its own, and never
	// changes while the queue looks at it.
	KnownObjects kit.KnownObjects[T]

	// Transformer changes an object before it is queued, usually to drop fields that
	// nobody reads: what it returns is queued in its place. It may change obj in place. It
	// must leave namespace and name as they are, and must not call this queue (another one it
	// may). If Transformer is nil, objects are queued as they are.
	//
	// It is called under the lock of the queue, so calls never overlap each other or process.
	// Add and Update call it once for their object. Replace calls it once for each element of
	// list, so twice for an object that is listed twice. If a call of it fails, that call is not
	// repeated, and Replace need not call it for the rest of list. Delete calls it once if the key
	// is pending or known, even if an older deletion is kept; for any other key Delete may or may
	// not call it. It is never called for a Sync delta or a tombstone, whose objects went through
	// it when they first came in.
	//
	// The transformer fails if it returns an error or panics. A panic goes on to the caller of
	// Add, Update, Delete or Replace with its own value, and the queue can be used as before.
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
// came first; of two that were seen, the older; of two tombstones either, because the second
// would carry the object of the first. What else their objects say makes no difference. It
// merges or drops no other deltas, whatever versions their objects have.
//
// Make a queue with New. A queue that nobody closes leaves nothing behind: a goroutine that a
// method starts has ended when that method returns.
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
// is gone: Delete queues nothing, and that is no error, even if the transformer returns one
// for obj; whether a panic of it goes on to the caller then is left open.
func (f *DeltaFIFO[T]) Delete(obj T) error {
	panic(kit.TODO("DeltaFIFO.Delete"))
}

// Replace says that the objects of list are all there are, none if it is nil or empty. In one step
//
//   - it queues a Replaced delta for every object of list, in the order of list;
//   - then it queues a tombstone for every other key that is pending or known: a
//     Deleted delta with FinalStateUnknown, whose object is that of the newest
//     pending delta of the key or, if none is pending, the known one. Keys that
//     become pending by this stand behind the keys of list, in any order.
//
// Deltas that are pending stay. In particular, a key with a pending Deleted delta that
// is in list has both afterwards. A tombstone directly behind a Deleted delta is one of two
// deletions in a row, of which the queue keeps one.
//
// If the transformer fails, Replace returns an error, its own or the transformer's, queues no
// tombstone, and is not the first call in the sense of HasSynced; how much of list it has queued
// by then is left open. The slice list stays the caller's: Replace never writes to it or to the
// rest of the array behind it, not even if it fails, and does not read it after returning. The
// resource version is not used.
func (f *DeltaFIFO[T]) Replace(list []T, resourceVersion string) error {
	panic(kit.TODO("DeltaFIFO.Replace"))
}

// Resync queues a Sync delta for every known object whose key is not pending, in
// any order. A pending key needs none: its deltas are newer than the known object. Like
// Replace, Resync does all of this in one step.
func (f *DeltaFIFO[T]) Resync() error {
	panic(kit.TODO("DeltaFIFO.Resync"))
}

// Pop takes the key at the head of the queue with all of its deltas, the oldest
// first, calls process with them, and returns them and the result of process. While
// nothing is pending, it waits; every key that becomes pending lets one waiting Pop
// continue, which waits on if another Pop takes the key first. Once the queue is closed and
// nothing is pending, it returns nil and kit.ErrFIFOClosed, not wrapped.
//
// process is called under the lock of the queue: no Add, Update, Delete, Replace
// or Resync of another goroutine has any effect or returns until process has
// returned, and no other Pop calls its process. This holds for calls that queue nothing,
// too; Close may wait or not. So process can bring the known objects in step with the deltas
// before any other goroutine looks at either. It must not call this queue (another one it may),
// and should be quick.
//
// isInInitialList is true if HasSynced was false when this Pop took the key.
//
// The deltas belong to process and to the caller of Pop, who may keep them, change them and
// append to them: from the call of process on, the queue neither reads nor writes that slice,
// or those two, if process and the caller get one each. An error of process changes nothing
// in the queue, and neither does a panic, which goes on to the caller of Pop with its own
// value: the popped deltas are gone, and a caller that wants to try again has to keep them.
func (f *DeltaFIFO[T]) Pop(process kit.PopProcessFunc[T]) (kit.Deltas[T], error) {
	panic(kit.TODO("DeltaFIFO.Pop"))
}

// HasSynced reports whether the consumer has seen all that existed in the
// beginning. It is false at first, and once it is true it stays true.
//
// If Replace is the first call, it becomes true when as many keys have been popped since
// as Replace left pending: those of its list, each once however often it stands there, and
// those of its tombstones. A key that a Resync had queued before is one of these. If it leaves
// nothing pending, it becomes true at once. If Add, Update or Delete is the first call, that call
// makes it true, even a Delete that queues nothing or a call whose transformer fails. Resync,
// Pop, Close and a Replace that fails do not count as the first call.
//
// A popped key counts when its process has returned, also with an error, or has panicked. While
// process runs, HasSynced in another goroutine waits, or returns what it would have returned
// just before that Pop took its key. A Pop that waits delays neither HasSynced nor any other
// call.
func (f *DeltaFIFO[T]) HasSynced() bool {
	panic(kit.TODO("DeltaFIFO.HasSynced"))
}

// Close wakes every Pop that waits. What is pending can still be popped. It may be
// called more than once. Whether anything can be queued after Close, what Add, Update, Delete,
// Replace and Resync return then, and whether they count as the first call, is left open.
func (f *DeltaFIFO[T]) Close() {
	panic(kit.TODO("DeltaFIFO.Close"))
}
