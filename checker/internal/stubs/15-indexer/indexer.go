// Package indexer is lab 15: the cache that controllers read instead of asking the
// API server, with indices by which they find what belongs together.
package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

// Indexer keeps objects by their key (as of kit.Key), and finds them by what its
// indices say of them. Every method may be called from any goroutine, and is one
// step to all others: nobody ever sees half of a write, such as an object that is
// stored and not indexed yet.
//
// An index has a name and an IndexFunc, which says under which values an object is
// to be found: under none, one or many. The order of the values means nothing, and
// a value that is said twice counts once. At every moment each index holds exactly
// the stored objects, each under the values of the object as it is stored now. A
// value under which there is no object does not exist: it is not listed, and costs
// no memory (kubernetes#84959).
//
// An IndexFunc is called for objects that are written, for those they take the place
// of, by AddIndexers for all that are stored, and by Index for the object it is
// given. Answering ByIndex, IndexKeys and ListIndexFuncValues calls none: a look-up
// costs what its answer costs, however many objects are stored. An IndexFunc says
// the same of the same object every time and must not call the indexer.
//
// If an IndexFunc returns an error, the Add, Update, Replace or AddIndexers that
// needed its answer returns an error that wraps it, and has changed nothing: the
// objects and all indices are as they were. (client-go panics there.)
//
// Objects are shared with all readers: nobody may change one that was stored. The
// slices that methods return belong to the caller, who may do with them what he
// likes. They are in no particular order. Make an indexer with New.
type Indexer[T kit.Object] struct {
	// The fields are yours.
}

var _ kit.Indexer[*kit.Pod] = (*Indexer[*kit.Pod])(nil)

// New returns an empty indexer with these indices. indexers may be nil. The map
// stays the caller's: the indexer neither keeps nor changes it.
func New[T kit.Object](indexers map[string]kit.IndexFunc[T]) *Indexer[T] {
	panic(kit.TODO("New"))
}

// Add stores obj, in the place of the object with the same key if there is one.
func (x *Indexer[T]) Add(obj T) error {
	panic(kit.TODO("Indexer.Add"))
}

// Update does what Add does.
func (x *Indexer[T]) Update(obj T) error {
	panic(kit.TODO("Indexer.Update"))
}

// Delete removes the object with the key of obj. If there is none it does nothing,
// and that is no error.
func (x *Indexer[T]) Delete(obj T) error {
	panic(kit.TODO("Indexer.Delete"))
}

// Replace makes the objects of list all there are, in one step, and rebuilds the
// indices. Of objects with the same key the last counts. The resource version is
// not used.
func (x *Indexer[T]) Replace(list []T, resourceVersion string) error {
	panic(kit.TODO("Indexer.Replace"))
}

// AddIndexers adds indices. Objects that are stored already are in them when it
// returns. If there is an index of one of these names, it returns an error and adds
// none of them.
func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	panic(kit.TODO("Indexer.AddIndexers"))
}
