package controlplane

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// The limits of a Recorder, as in client-go tools/record.
const (
	SimilarEvents   = 10               // from so many different messages on, similar events are combined
	SimilarInterval = 10 * time.Minute // similar events further apart than this have nothing to do with each other
	SpamBurst       = 25               // so many events about one object are written at once
	SpamRefill      = 5 * time.Minute  // and one more of them after each such time
)

// CombinedPrefix begins the message of an event that stands for many.
const CombinedPrefix = "(combined from similar events): "

// DefaultEventTTL is how long an event is kept after it has last happened.
const DefaultEventTTL = time.Hour

// RecorderOptions are the parts and settings of a Recorder.
type RecorderOptions struct {
	Events    kit.Client[*kit.CoreEvent]
	Component string // who says so: the source of its events
	Buffer    int    // how many events may wait to be written; 0 is 1000
}

// Recorder writes what a component says about objects as kit.CoreEvents: a log for people,
// which no controller may rely on (client-go tools/record).
//
// # One event or many
//
// Events are handled in the order of the calls of Eventf:
//
//   - Events about the same object (by kind, namespace, name and UID) with the same type,
//     reason and message are the same event: the first creates an object with count 1,
//     firstTimestamp and lastTimestamp; every later one updates it: count is one more,
//     lastTimestamp is the time of that event. Whether objects of two API versions are two
//     objects is left open.
//   - Events that differ in nothing but the message are similar. When the
//     SimilarEvents-th different message of similar events arrives, and no pause between
//     any two of the similar events in a row was longer than SimilarInterval, it and
//     every one after it, whatever its message, is written into one event that stands for
//     all of them: created, and then counted, like the same event, with the newest
//     message behind CombinedPrefix. A pause of more than SimilarInterval begins anew.
//   - A component may say SpamBurst things about an object, and one more each SpamRefill,
//     in a token bucket. Events beyond that are not written. Whether a later count
//     includes them is left open.
//
// An event's object is in the namespace of the object that it is about, "default" where
// that has none, and its name begins with the object's name and a dot.
//
// # Writing
//
// If an event to be counted is gone (it was swept), it is created anew with count 1. After
// a Conflict the recorder tries again with the current object; after five in a row it may
// give up. After another failure it tries again for a few seconds, and then the event is
// lost; nobody hears of that. Memory is bounded: a Recorder remembers of 4096 events or so,
// and may forget the rest. What becomes of a request that was stored, though its answer was
// an error, is left open: it may count twice, or have two objects.
type Recorder struct {
	o     RecorderOptions
	ready chan struct{}

	mu    sync.Mutex
	queue []note

	groups map[group]*history // Run's alone
	tokens map[kit.ObjectReference]*bucket
	names  map[note]string // of notes without times: the object that counts them
}

type group struct {
	about       kit.ObjectReference
	typ, reason string
}

type note struct {
	group
	message string
	at      time.Time
	series  int // which series of similar events it is combined with
}

type history struct {
	last     time.Time
	distinct map[string]struct{}
	combined bool
	series   int
}

type bucket struct {
	left int
	from time.Time
}

var _ kit.EventRecorder = (*Recorder)(nil)

// NewRecorder makes a Recorder. It starts no goroutine.
func NewRecorder(options RecorderOptions) *Recorder {
	if options.Buffer == 0 {
		options.Buffer = 1000
	}
	return &Recorder{
		o: options, ready: make(chan struct{}, 1),
		groups: map[group]*history{}, tokens: map[kit.ObjectReference]*bucket{}, names: map[note]string{},
	}
}

// Eventf notes an event. It never blocks, not for the API server and not for Run: an
// event without room in the buffer is lost. The event happened at the time of the call.
// Its message is made by then, too. It may be called from any goroutine, before Run,
// during it and after it.
func (r *Recorder) Eventf(about kit.ObjectReference, eventType, reason, format string, args ...any) {
	n := note{group: group{about, eventType, reason}, message: fmt.Sprintf(format, args...), at: time.Now()}
	r.mu.Lock()
	if len(r.queue) < r.o.Buffer {
		r.queue = append(r.queue, n)
	}
	r.mu.Unlock()
	select {
	case r.ready <- struct{}{}:
	default:
	}
}

// Run writes events until ctx is done, each within a second unless the API server is slow
// or refuses it. It returns nil, soon, and leaves no goroutine; events that are not written by then are lost. Run is called once.
func (r *Recorder) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		r.mu.Lock()
		var n note
		some := len(r.queue) > 0
		if some {
			n, r.queue = r.queue[0], r.queue[1:]
		}
		r.mu.Unlock()
		if some {
			r.note(ctx, n)
			continue
		}
		select {
		case <-ctx.Done():
		case <-r.ready:
		}
	}
	return nil
}

// SweepEvents deletes the events whose lastTimestamp is ttl ago or longer, once. It spares
// one that is counted up meanwhile. It goes on after an error, and returns the first.
// (Upstream passes the TTL to etcd as a lease.)
func SweepEvents(ctx context.Context, events kit.Client[*kit.CoreEvent], ttl time.Duration) error {
	list, err := events.List(ctx, kit.ListOptions{})
	if err != nil {
		return err
	}
	for _, old := range list.Items {
		if time.Since(old.LastTimestamp) >= ttl {
			_, e := events.Delete(ctx, old.Namespace, old.Name, kit.DeleteOptions{Preconditions: kit.Preconditions{ResourceVersion: old.ResourceVersion}})
			if kit.IsConflict(e) || kit.IsNotFound(e) {
				continue
			}
			if err == nil {
				err = e
			}
		}
	}
	return err
}

func (r *Recorder) note(ctx context.Context, n note) {
	if len(r.groups) > 4096 {
		clear(r.groups)
	}
	if len(r.tokens) > 4096 {
		clear(r.tokens)
	}
	if len(r.names) > 4096 {
		clear(r.names)
	}
	h := r.groups[n.group]
	if h == nil {
		h = &history{distinct: map[string]struct{}{}}
		r.groups[n.group] = h
	} else if n.at.Sub(h.last) > SimilarInterval {
		*h = history{distinct: map[string]struct{}{}, series: h.series + 1}
	}
	h.last = n.at
	if !h.combined {
		h.distinct[n.message] = struct{}{}
		h.combined = len(h.distinct) >= SimilarEvents
	}
	if h.combined {
		h.distinct = nil
	}
	if !r.token(n) {
		return
	}
	id := note{group: n.group, message: n.message}
	if h.combined {
		id.message, id.series = CombinedPrefix, h.series+1
		n.message = CombinedPrefix + n.message
	}
	wait := 50 * time.Millisecond
	for start := time.Now(); time.Since(start) < 8*time.Second; wait = min(2*wait, time.Second) {
		if r.try(ctx, id, n) {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
	}
}

func (r *Recorder) token(n note) bool {
	b := r.tokens[n.about]
	if b == nil {
		b = &bucket{SpamBurst, n.at}
		r.tokens[n.about] = b
	}
	for b.left < SpamBurst && n.at.Sub(b.from) >= SpamRefill {
		b.left++
		b.from = b.from.Add(SpamRefill)
	}
	if b.left == SpamBurst {
		b.from = n.at
	}
	if b.left == 0 {
		return false
	}
	b.left--
	return true
}

// try writes an event once. It reports whether that is done with.
func (r *Recorder) try(ctx context.Context, id, n note) bool {
	namespace := n.about.Namespace
	if namespace == "" {
		namespace = "default"
	}
	if name := r.names[id]; name != "" {
		e, err := r.o.Events.Get(ctx, namespace, name)
		if err == nil {
			e.Count++
			e.LastTimestamp, e.Message = n.at, n.message
			_, err = r.o.Events.Update(ctx, e)
			return err == nil
		}
		if !kit.IsNotFound(err) {
			return false
		}
		delete(r.names, id)
	}
	e := kit.CoreEvents.New()
	e.Namespace, e.Name = namespace, fmt.Sprintf("%s.%x%x", n.about.Name, n.at.UnixNano(), rand.Uint32())
	e.InvolvedObject, e.Type, e.Reason, e.Message, e.Source = n.about, n.typ, n.reason, n.message, r.o.Component
	e.FirstTimestamp, e.LastTimestamp, e.Count = n.at, n.at, 1
	_, err := r.o.Events.Create(ctx, e)
	if err == nil || kit.IsAlreadyExists(err) {
		r.names[id] = e.Name
	}
	return err == nil
}
