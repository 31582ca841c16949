// Package indexer is lab 15: the cache that controllers read instead of asking the
// API server, with indices by which they find what belongs together.
package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

// Indexer keeps objects by their key (that of kit.Key), and finds them through its
// indices. Every method may be called from any goroutine, and is one step for all
// others, at some moment between its call and its return: nobody ever sees half of a
// write, such as an object that is stored and not indexed yet. A call may wait for an
// IndexFunc that another call has started.
//
// An index has a name and an IndexFunc, which says under which values an object is
// to be found: under none, one or many. The order of the values means nothing, and
// a value that it names twice counts once. Names and values may be any strings, the
// empty one too, and two that differ in one byte are different. At every moment each
// index holds exactly the stored objects, each under the values of the object as it
// is stored now. A value without an object does not exist: it is not listed, and the
// indexer keeps nothing of it (kubernetes#84959). Nor does it keep any object that is
// not stored now: no deleted one, no older state, none of a write that failed, nor a
// slice inside one, such as an IndexFunc may have returned. The room that a map or slice
// has grown to may stay.
//
// A write calls an IndexFunc only for objects that it writes and for stored ones that
// it replaces or removes. AddIndexers calls only the new ones and only for stored objects.
// Index calls its own, also where nothing is stored, and only for the object that it is
// given. New and all other methods call none.
//
// Get, GetByKey, Index, ByIndex and IndexKeys cost about as much as what they find, however
// many objects are stored: a look-up that finds nothing costs next to nothing. Index may
// also cost as much as obj has values, and ListIndexFuncValues as much as there are values
// in all indices. The room that a map has grown to may cost, too. What a write costs is
// open.
//
// An IndexFunc is not nil, gives the same answer for the same object every time, may be
// called by several goroutines at once, does not panic, and must not call the indexer.
// The slice that it returns may be a part of the object, so the indexer does not write
// to it, nor to the room behind its end, as append would.
//
// If an IndexFunc returns an error, with values or without, the Add, Update, Replace or
// AddIndexers that needed its answer returns that error, as it is or wrapped so that
// errors.Is finds that very error, and has changed nothing: the objects and all indices
// are as they were. If several fail, it returns the error of any of them. (client-go panics
// there.)
//
// Objects are shared with all readers: nobody may change a stored object, and the
// indexer changes none that it is given. The slices that methods return belong to the
// caller, who may write to them and append to them. They are in no particular order, and
// an empty one may be nil. Make an indexer with New. There is no Close, so an indexer
// keeps no goroutine running: one that a call starts ends soon after that call.
type Indexer[T kit.Object] struct {
	// The fields are yours.
}

var _ kit.Indexer[*kit.Pod] = (*Indexer[*kit.Pod])(nil)

// New returns an empty indexer with these indices. indexers may be nil. The indexer
// neither keeps nor changes the map.
func New[T kit.Object](indexers map[string]kit.IndexFunc[T]) *Indexer[T] {
	panic(kit.TODO("New"))
}

// Add stores obj, and replaces the object with the same key if there is one.
func (x *Indexer[T]) Add(obj T) error {
	panic(kit.TODO("Indexer.Add"))
}

// Update does what Add does.
func (x *Indexer[T]) Update(obj T) error {
	panic(kit.TODO("Indexer.Update"))
}

// Delete removes the object with the key of obj, whatever else obj says. If there is
// none it does nothing. It returns nil.
func (x *Indexer[T]) Delete(obj T) error {
	panic(kit.TODO("Indexer.Delete"))
}

// Replace puts the objects of list in the place of all that are stored: afterwards
// exactly these are stored, and the indices contain them and no others. Of several
// objects with the same key the last one counts, as if the others were not in list. The
// indexer neither keeps nor changes the slice. The resource version is not used.
func (x *Indexer[T]) Replace(list []T, resourceVersion string) error {
	panic(kit.TODO("Indexer.Replace"))
}

// AddIndexers adds indices. When it returns, they contain the objects that are stored
// already. If an index with one of these names already exists, it returns an error and
// adds none of them, and so it does if one of the IndexFuncs fails. If both are the case,
// it may return either error. Given a nil or empty map, it does nothing and returns nil.
// The indexer neither keeps nor changes the map.
func (x *Indexer[T]) AddIndexers(newIndexers map[string]kit.IndexFunc[T]) error {
	panic(kit.TODO("Indexer.AddIndexers"))
}
