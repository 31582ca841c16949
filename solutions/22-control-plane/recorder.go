package controlplane

import (
	"context"
	"fmt"
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

// RecorderOptions are what a Recorder is made of.
type RecorderOptions struct {
	Events    kit.Client[*kit.CoreEvent]
	Component string // who says so: the source of its events
	Buffer    int    // how many events may wait to be written; 0 is 1000
}

// Recorder writes what a component says about objects as kit.CoreEvents. The stub's
// documentation is the contract.
//
// Eventf only puts what happened into a line. Which events are the same, or similar, or
// too many is decided by the goroutine of Run alone, and so the memory for it needs no lock.
type Recorder struct {
	RecorderOptions

	memory *correlator   // of the goroutine of Run
	wake   chan struct{} // holds one token if something waits

	mu      sync.Mutex // guards waiting
	waiting []occurrence
}

// occurrence is one call of Eventf.
type occurrence struct {
	about                kit.ObjectReference
	typ, reason, message string
	at                   time.Time
}

var _ kit.EventRecorder = (*Recorder)(nil)

// NewRecorder makes a Recorder. It starts nothing.
func NewRecorder(options RecorderOptions) *Recorder {
	if options.Buffer == 0 {
		options.Buffer = 1000
	}
	return &Recorder{RecorderOptions: options, memory: newCorrelator(), wake: make(chan struct{}, 1)}
}

// Eventf notes an event, and blocks for nobody.
func (r *Recorder) Eventf(about kit.ObjectReference, eventType, reason, format string, args ...any) {
	// The message is made here: what args point at may have changed by the time that it is
	// written.
	o := occurrence{about, eventType, reason, fmt.Sprintf(format, args...), time.Now()}
	r.mu.Lock()
	if len(r.waiting) < r.Buffer {
		r.waiting = append(r.waiting, o)
	}
	r.mu.Unlock()
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Run writes events until ctx is done.
func (r *Recorder) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-r.wake:
		}
		for o, ok := r.next(); ok && ctx.Err() == nil; o, ok = r.next() {
			if e := r.memory.correlate(o); e != nil {
				r.write(ctx, o, e)
			}
		}
	}
}

// next takes the oldest event that waits. A channel would be shorter, and would have to
// hold room for all of its buffer in every one of a thousand components.
func (r *Recorder) next() (o occurrence, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		r.waiting = nil
		return o, false
	}
	o = r.waiting[0]
	r.waiting[0] = occurrence{} // the backing array stays: it shall not keep the text
	r.waiting = r.waiting[1:]
	return o, true
}

// What cannot be written is tried so often.
const (
	recordTries = 10
	recordPause = 500 * time.Millisecond // after anything but a conflict
)

// write brings one event to the API server, or gives up.
func (r *Recorder) write(ctx context.Context, o occurrence, e *entry) {
	for range recordTries {
		err := r.put(ctx, o, e)
		if err == nil || ctx.Err() != nil {
			return
		}
		if kit.IsConflict(err) {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(recordPause):
		}
	}
}

// put creates an event, or counts it up.
func (r *Recorder) put(ctx context.Context, o occurrence, e *entry) error {
	if e.name == "" {
		return r.create(ctx, o, e)
	}
	event, err := r.Events.Get(ctx, e.namespace, e.name)
	if kit.IsNotFound(err) { // its time was up
		e.name, e.count, e.first = "", 1, o.at
		return r.create(ctx, o, e)
	}
	if err != nil {
		return err
	}
	event.Count, event.LastTimestamp, event.Message = e.count, o.at, e.message
	_, err = r.Events.Update(ctx, event)
	return err
}

func (r *Recorder) create(ctx context.Context, o occurrence, e *entry) error {
	event := kit.CoreEvents.New()
	event.Namespace, event.GenerateName = o.about.Namespace, o.about.Name+"."
	if event.Namespace == "" {
		event.Namespace = "default"
	}
	event.InvolvedObject, event.Source = o.about, r.Component
	event.Type, event.Reason, event.Message = o.typ, o.reason, e.message
	event.FirstTimestamp, event.LastTimestamp, event.Count = e.first, o.at, e.count
	stored, err := r.Events.Create(ctx, event)
	if err != nil {
		return err
	}
	e.namespace, e.name = stored.Namespace, stored.Name
	return nil
}

// SweepEvents deletes the events whose lastTimestamp is ttl ago or longer, once.
func SweepEvents(ctx context.Context, events kit.Client[*kit.CoreEvent], ttl time.Duration) error {
	list, err := events.List(ctx, kit.ListOptions{})
	if err != nil {
		return fmt.Errorf("list events: %w", err)
	}
	var first error
	for _, e := range list.Items {
		if time.Since(e.LastTimestamp) < ttl {
			continue
		}
		// The version sees to it that exactly this state is deleted.
		_, err := events.Delete(ctx, e.Namespace, e.Name,
			kit.DeleteOptions{Preconditions: kit.Preconditions{UID: e.UID, ResourceVersion: e.ResourceVersion}})
		if err != nil && !kit.IsNotFound(err) && !kit.IsConflict(err) && first == nil {
			first = fmt.Errorf("delete event %s: %w", kit.Key(e), err)
		}
	}
	return first
}
