package kit

import "context"

// EventType is what happened to an object (apimachinery watch.EventType).
type EventType string

// The types of a watch event, as they stand on the wire.
const (
	Added    EventType = "ADDED"
	Modified EventType = "MODIFIED"
	Deleted  EventType = "DELETED"
	Bookmark EventType = "BOOKMARK"
	Error    EventType = "ERROR"
)

// InitialEventsEnd is the annotation on the bookmark that ends the initial events
// of a watch list (metav1.InitialEventsAnnotationKey); its value is "true".
const InitialEventsEnd = "k8s.io/initial-events-end"

// Event is one event of a watch (watch.Event).
type Event[T Object] struct {
	Type   EventType
	Object T       // of a Bookmark only the resource version counts; of an Error, nothing
	Status *Status // set for Error, nil otherwise
}

// Watch is a running watch (watch.Interface).
type Watch[T Object] interface {
	// Stop ends the watch and releases its resources. It may be called more than
	// once and from any goroutine. ResultChan is closed soon after.
	Stop()
	// ResultChan delivers the events. It is closed when the watch ends, by Stop or
	// by itself; a reader that is cut off must list and watch again.
	ResultChan() <-chan Event[T]
}

// ListOptions say what to list or where to watch from (metav1.ListOptions).
type ListOptions struct {
	Namespace           string // "" for all
	ResourceVersion     string // where to start: see each lab
	AllowWatchBookmarks bool   // ask for BOOKMARK events
	SendInitialEvents   bool   // ask for a watch list: the objects as ADDED, then a marked bookmark, then live events
	TimeoutSeconds      int64  // a watch ends by itself after so many seconds; 0 for never
}

// List is the objects at one moment, and which moment that was.
type List[T Object] struct {
	ResourceVersion string
	Items           []T
}

// ListerWatcher is the API server as a reflector sees it (client-go cache.ListerWatcher).
type ListerWatcher[T Object] interface {
	// List returns the objects. It blocks until the server has answered or ctx is done.
	List(ctx context.Context, options ListOptions) (List[T], error)
	// Watch starts a watch. It blocks until the server has granted or refused it, or ctx is
	// done. The watch ends with ctx as well as by Stop.
	Watch(ctx context.Context, options ListOptions) (Watch[T], error)
}
