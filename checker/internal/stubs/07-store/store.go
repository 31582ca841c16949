// Package store is lab 07: a versioned object store, the heart of an API server.
// Readers and writers share no memory, and no writer can undo what it has not seen.
package store

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// Store keeps the objects of one type. Make one with New. All methods may be
// called from any goroutine and none of them waits for anything but a short lock. (One
// that is held while a list is copied is short enough.) Overlapping calls behave as if
// they had run one after the other.
//
// # Versions
//
// There is one counter for the whole store. Every write takes the next version:
// a create, an update, and a delete too. The version of the newest write is the
// version of the store. A version is written as a decimal number above zero that
// fits into 64 bits, and rises with every write, whatever the object. (It is
// unsigned, and may rise by more than one.) A client may compare two versions, but may not invent one. An empty
// store is at a version above zero, because "" and "0" have a meaning of their own to
// List and Watch.
//
// # Copies
//
// Objects are copied on the way in and on the way out, with the Type's DeepCopy: a
// result is never the argument itself. An argument is never modified, not even for a
// moment, since other goroutines may read it. Nothing that the caller does afterwards to
// an argument, the slice of the journals included, or to a result can be seen in the
// store or by another caller.
//
// The store keeps the objects as they are now and no history of them. It keeps nothing
// of an object that is gone, from the return of the delete on: no key, no list that
// shows it, no lock of its own.
//
// # Errors
//
// Errors are *kit.StatusError: NotFound, AlreadyExists, Conflict, Invalid,
// BadRequest. They are not wrapped. A call that returns an error has changed nothing,
// has taken no version and has called no journal. With an error, the object or the list
// that is returned is the zero value. What the methods do not name as an error is none:
// the store has no limits and does not validate names. (None of them has a slash.)
//
// There is one error more: if ctx is done when a method is called, the method does
// nothing and returns ctx.Err(). If ctx ends during the call, the method may go on, or
// give up: then it has changed nothing and returns ctx.Err().
type Store[T kit.Object] struct {
	// yours
}

// New returns an empty store for objects of the type typ. Every change is
// committed to each of the journals, as kit.Journal describes it: once, in the
// order of the versions, one call at a time, before the write returns. Which of the
// journals gets it first is left open, and so is whether two of them are called at the
// same time. A store has no Close: no goroutine of it outlives the call that started it.
func New[T kit.Object](typ kit.Type[T], journals ...kit.Journal[T]) *Store[T] {
	panic(kit.TODO("New"))
}

// Create stores a new object and returns it as stored.
//
// The store sets the resource version, a new UID that no object of any store has had
// before, the creation time (now) and generation 1, and clears the deletionTimestamp,
// whatever obj says. (A time that the store sets may be cut to the second, as Kubernetes
// writes times.) Everything else is stored as obj has it, the generateName too.
//
// If obj has no name but a generateName, its name becomes the generateName, cut
// to 58 characters, followed by five random characters out of a-z and 0-9 (or out of
// some of these). If that name is taken, the store tries others. A name that is set
// wins. (A name in Kubernetes is ASCII, so that a character is a byte.)
//
// Errors, in any order: Invalid if obj has neither name nor generateName; BadRequest if
// it has a resource version, "0" included, because then it was read from a server;
// AlreadyExists if its namespace has an object of that name, one that is being deleted
// included.
func (s *Store[T]) Create(ctx context.Context, obj T) (T, error) {
	panic(kit.TODO("Store.Create"))
}

// Get returns the object, or NotFound. The namespace is "" for objects that are in none.
func (s *Store[T]) Get(ctx context.Context, namespace, name string) (T, error) {
	panic(kit.TODO("Store.Get"))
}

// List returns the objects of options.Namespace, or all objects if that is "", those in
// no namespace included. They are sorted by namespace and then by name, as Go compares
// strings. Other options are ignored.
//
// The list is a snapshot: it shows one moment of the store, with every write up
// to the list's resource version and none above it. That version is the store's,
// not that of the newest object in the list.
func (s *Store[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	panic(kit.TODO("Store.List"))
}

// Update replaces the stored object by obj and returns it as stored. It is for a
// caller that has read the latest version of the object: the comparison
// and the write are one step, so of any number of writers that start from the stored
// version, and change something, exactly one succeeds.
//
// Errors, in this order: NotFound if the store has no such object; Invalid if obj
// has no resource version; Conflict if the version is not that of the stored
// object, whether older or newer, or if obj has a UID and it is not the stored one's;
// Invalid if it adds a finalizer to an object that is being deleted. A version that is
// "0", does not fit into 64 bits, or has a character that is no digit is refused with
// Conflict or Invalid: both will do. (An object that the store does not have is NotFound
// even then.) Whether "007" is the version 7 is left open.
//
// The store keeps the UID, the creation time and the deletionTimestamp as they
// are, whatever obj says. The generation rises by one if the spec has changed
// (Type.SameSpec) and stays as it is otherwise, whatever obj says.
//
// An update that would change nothing (Type.Equal, once the store has put in what
// it keeps) is not a write: it returns the stored object with its old version.
//
// While an object is being deleted its finalizers may be removed, and none may be
// added: none that the stored object does not have. The update that leaves a deleting
// object with no finalizer deletes it; it is one write, a delete, and returns the object
// as this update leaves it, with the version of that delete. The journals get it so, too.
func (s *Store[T]) Update(ctx context.Context, obj T) (T, error) {
	panic(kit.TODO("Store.Update"))
}

// Delete deletes the object and returns it as it last was, with the version of the
// delete and nothing else changed: an object that goes at once gets no deletionTimestamp.
//
// An object that has finalizers is not deleted but marked: its deletionTimestamp
// is set to now and its generation rises by one. That is a modification, and the
// object is returned as stored. A delete of an object that is already marked and still
// has finalizers changes nothing and returns the object as it is.
//
// Errors: NotFound if the store has no such object; Conflict if a precondition
// names another UID or another resource version than the stored object has. That goes
// for an object that is already marked, too. A precondition that is no version, such as
// "0" or "+7", names another one. (Whether "007" is the version 7 is left open here, too.)
func (s *Store[T]) Delete(ctx context.Context, namespace, name string, options kit.DeleteOptions) (T, error) {
	panic(kit.TODO("Store.Delete"))
}
