package kit

import (
	"context"
	"errors"
	"time"
)

// DeltaType is what happened to an object on its way into a cache (client-go
// cache.DeltaType). It is not EventType: a cache also learns of objects by listing.
type DeltaType string

// The types of a Delta.
const (
	DeltaAdded    DeltaType = "Added"
	DeltaUpdated  DeltaType = "Updated"
	DeltaDeleted  DeltaType = "Deleted"
	DeltaReplaced DeltaType = "Replaced" // it was in a list
	DeltaSync     DeltaType = "Sync"     // nothing happened: a periodic resync
)

// Delta is one change of one object.
type Delta[T Object] struct {
	Type   DeltaType
	Object T

	// FinalStateUnknown marks a tombstone: a deletion that no watch event reported,
	// found out by a list that lacked the object. Object is then the last state that
	// was known, which may be stale (client-go cache.DeletedFinalStateUnknown).
	FinalStateUnknown bool
}

// Deltas are the changes of one object, the oldest first.
type Deltas[T Object] []Delta[T]

// Newest is the last delta. It panics where there is none.
func (d Deltas[T]) Newest() Delta[T] { return d[len(d)-1] }

// ErrFIFOClosed is returned by Pop once a queue is closed and empty (client-go
// cache.ErrFIFOClosed).
var ErrFIFOClosed = errors.New("DeltaFIFO: manipulating with closed queue")

// DeltaStore is what a reflector writes to (client-go cache.ReflectorStore).
type DeltaStore[T Object] interface {
	Add(obj T) error
	Update(obj T) error
	Delete(obj T) error
	// Replace says that the objects of a list are all there is at that version.
	Replace(list []T, resourceVersion string) error
	// Resync queues a Sync delta for every known object that has no delta pending.
	Resync() error
}

// DeltaQueue is a DeltaStore with a consumer's side (client-go cache.Queue).
type DeltaQueue[T Object] interface {
	DeltaStore[T]
	// Pop blocks until there are deltas, takes those of one object off the queue,
	// and hands them to process. It returns what process returned, and
	// ErrFIFOClosed once the queue is closed and empty.
	Pop(process PopProcessFunc[T]) (Deltas[T], error)
	// HasSynced reports whether all of the first Replace has been popped, or an Add,
	// Update or Delete came before it.
	HasSynced() bool
	// Close wakes every Pop. It may be called more than once.
	Close()
}

// PopProcessFunc handles the deltas of one object. isInInitialList is true if the
// queue had not synced when Pop took them.
type PopProcessFunc[T Object] func(deltas Deltas[T], isInInitialList bool) error

// KnownObjects is what a DeltaQueue asks of the cache it feeds (client-go
// cache.KeyListerGetter).
type KnownObjects[T Object] interface {
	ListKeys() []string
	GetByKey(key string) (obj T, exists bool)
}

// IndexFunc computes the values under which an object is found in one index.
type IndexFunc[T Object] func(obj T) ([]string, error)

// Indexer is a cache with indices (client-go cache.Indexer). What it returns is
// shared: nobody may change it. All methods may be called from any goroutine.
type Indexer[T Object] interface {
	KnownObjects[T]
	Add(obj T) error
	Update(obj T) error
	Delete(obj T) error
	Replace(list []T, resourceVersion string) error
	List() []T
	Get(obj T) (item T, exists bool)
	Index(indexName string, obj T) ([]T, error)
	ByIndex(indexName, indexedValue string) ([]T, error)
	IndexKeys(indexName, indexedValue string) ([]string, error)
	ListIndexFuncValues(indexName string) []string
	AddIndexers(newIndexers map[string]IndexFunc[T]) error
}

// ResourceEventHandler is notified of what happens to objects, in order, by one goroutine
// (client-go cache.ResourceEventHandler).
type ResourceEventHandler[T Object] interface {
	// OnAdd is called for an object that the cache did not have. isInInitialList is true for
	// those of the first list, and for those that the cache held when the handler was added.
	OnAdd(obj T, isInInitialList bool)
	// OnUpdate is called for an object that the cache had, and at a resync.
	OnUpdate(oldObj, newObj T)
	// OnDelete is called for an object that is gone. finalStateUnknown says that the
	// deletion itself was missed: obj is then the last state that was known.
	OnDelete(obj T, finalStateUnknown bool)
}

// ResourceEventHandlerFuncs is a ResourceEventHandler made of functions; a nil
// function is not called.
type ResourceEventHandlerFuncs[T Object] struct {
	AddFunc    func(obj T, isInInitialList bool)
	UpdateFunc func(oldObj, newObj T)
	DeleteFunc func(obj T, finalStateUnknown bool)
}

// OnAdd calls AddFunc.
func (f ResourceEventHandlerFuncs[T]) OnAdd(obj T, isInInitialList bool) {
	if f.AddFunc != nil {
		f.AddFunc(obj, isInInitialList)
	}
}

// OnUpdate calls UpdateFunc.
func (f ResourceEventHandlerFuncs[T]) OnUpdate(oldObj, newObj T) {
	if f.UpdateFunc != nil {
		f.UpdateFunc(oldObj, newObj)
	}
}

// OnDelete calls DeleteFunc.
func (f ResourceEventHandlerFuncs[T]) OnDelete(obj T, finalStateUnknown bool) {
	if f.DeleteFunc != nil {
		f.DeleteFunc(obj, finalStateUnknown)
	}
}

// SharedInformer is what controllers ask of an informer: a cache that follows the
// API server, and many handlers that hear of every change of it (client-go
// cache.SharedIndexInformer). All methods may be called from any goroutine.
type SharedInformer[T Object] interface {
	// AddEventHandler adds a handler with the informer's own resync period.
	AddEventHandler(handler ResourceEventHandler[T]) (Registration, error)
	// AddEventHandlerWithResyncPeriod adds a handler that is notified of every
	// object again each resyncPeriod; 0 for never.
	AddEventHandlerWithResyncPeriod(handler ResourceEventHandler[T], resyncPeriod time.Duration) (Registration, error)
	// RemoveEventHandler removes a handler without waiting for a call under way.
	RemoveEventHandler(registration Registration) error
	// GetIndexer is the cache. Nobody but the informer may write to it.
	GetIndexer() Indexer[T]
	// Run follows the API server until ctx is done.
	Run(ctx context.Context)
	// HasSynced reports whether the cache holds all that the first list brought.
	HasSynced() bool
	// IsStopped reports whether Run has come to its end.
	IsStopped() bool
}

// Registration is a handler's place in an informer (client-go
// cache.ResourceEventHandlerRegistration).
type Registration interface {
	// HasSynced reports whether the informer has synced and the handler has returned
	// from the OnAdd of every object for which isInInitialList is true.
	HasSynced() bool
	// ShutdownChan is closed when the handler will not be called any longer: after its
	// removal or the informer's end, when its last call has returned.
	ShutdownChan() <-chan struct{}
}
