// Package indexer is lab 15: the cache that controllers read instead of asking the
// API server, with indices by which they find what belongs together.
package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

// Indexer keeps objects by their key (that of kit.Key), and finds them through its
// indices. Every method may be called from any goroutine, and is one step for all
// others: nobody ever sees half of a write, such as an object that is stored and not
// indexed yet.
//
// An index has a name and an IndexFunc, which says under which values an object is
// to be found: under none, one or many. The order of the values means nothing, and
// a value that it names twice counts once. Names and values may be any strings, the
// empty one too, and two that differ in one byte are different. At every moment each
// index holds exactly the stored objects, each under the values of the object as it
// is stored now. A value without an object does not exist: it is not listed, and
// costs no memory (kubernetes#84959).
//
// A write calls an IndexFunc only for objects that it writes and for stored ones that
// it replaces or removes; AddIndexers calls it for all stored objects, and Index calls
// it for the object it is given. ByIndex, IndexKeys and ListIndexFuncValues call none.
// A look-up, by Index too, costs about as much as what it finds, however many objects
// are stored. An IndexFunc gives the same answer for the same object every time, may
// be called by several goroutines at once, and must not call the indexer. The slice
// that it returns may be a part of the object.
//
// If an IndexFunc returns an error, the Add, Update, Replace or AddIndexers that
// needed its answer returns that error, wrapped or as it is, and has changed nothing:
// the objects and all indices are as they were. (client-go panics there.)
//
// Objects are shared with all readers: nobody may change a stored object. The slices
// that methods return belong to the caller, who may write to them. They are in no
// particular order. Make an indexer with New.
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
// indices. Of several objects with the same key the last one counts, as if the others
// were not in list. list stays the caller's, who may use the slice for something else.
// The resource version is not used.
func (x *Indexer[T]) Replace(list []T, resourceVersion string) error {
	panic(kit.TODO("Indexer.Replace"))
}

// AddIndexers adds indices. When it returns, they contain the objects that are stored
// already. If an index with one of these names exists, it returns an error and adds
// none of them. The map stays the caller's.
func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	panic(kit.TODO("Indexer.AddIndexers"))
}
