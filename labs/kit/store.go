package kit

import "context"

// Client reads and writes the objects of one type, as the typed clients of
// client-go do. All methods may be called from any goroutine. Objects go in and
// come out as copies: the caller may do with its own what it likes.
type Client[T Object] interface {
	// Create stores a new object and returns it as it was stored.
	Create(ctx context.Context, obj T) (T, error)
	// Get returns one object, or NotFound.
	Get(ctx context.Context, namespace, name string) (T, error)
	// List returns the objects of one moment.
	List(ctx context.Context, options ListOptions) (List[T], error)
	// Update replaces an object that has not changed since obj was read, and
	// returns it as it was stored; otherwise Conflict.
	Update(ctx context.Context, obj T) (T, error)
	// Delete deletes an object, or marks it while it has finalizers, and returns
	// it as it stood then.
	Delete(ctx context.Context, namespace, name string, options DeleteOptions) (T, error)
}

// StatusClient writes the status of objects whose status is a subresource (UpdateStatus of
// client-go, Status().Update of controller-runtime).
type StatusClient[T Object] interface {
	// UpdateStatus replaces the status of an object that has not changed since obj was read,
	// and returns it as it was stored; otherwise Conflict. Of obj nothing else counts.
	UpdateStatus(ctx context.Context, obj T) (T, error)
}

// DeleteOptions say under which conditions an object may be deleted
// (metav1.DeleteOptions).
type DeleteOptions struct {
	Preconditions Preconditions
}

// Preconditions must hold for a request to be carried out; an empty field asks
// for nothing (metav1.Preconditions).
type Preconditions struct {
	UID             string
	ResourceVersion string
}

// Journal is notified of every change of a store: what etcd's own watch is to the
// Kubernetes API server.
type Journal[T Object] interface {
	// Commit records one change: Added, Modified or Deleted, with the object as it
	// stands after the change and the change's resource version on it; for Deleted
	// the object as it stood last.
	//
	// Commit is called once for every change, in the order of the versions, one
	// call at a time, and before the write that made the change returns. It must
	// neither block nor call the store. The object is shared from then on: neither
	// side ever writes to it again.
	Commit(event Event[T])
}
