package controlplane

import (
	"context"
	"fmt"
	"math/rand/v2"
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
	RecorderOptions
	buffer chan said
	memory *correlator // Run's alone
}

var _ kit.EventRecorder = (*Recorder)(nil)

// NewRecorder makes a Recorder. It starts no goroutine.
func NewRecorder(options RecorderOptions) *Recorder {
	if options.Buffer <= 0 {
		options.Buffer = 1000
	}
	return &Recorder{RecorderOptions: options, buffer: make(chan said, options.Buffer), memory: newCorrelator()}
}

// Eventf notes an event. It never blocks, not for the API server and not for Run: an
// event without room in the buffer is lost. The event happened at the time of the call.
// Its message is made by then, too. It may be called from any goroutine, before Run,
// during it and after it.
func (r *Recorder) Eventf(about kit.ObjectReference, eventType, reason, format string, args ...any) {
	select {
	case r.buffer <- said{kind{about, eventType, reason}, fmt.Sprintf(format, args...), time.Now()}:
	default:
	}
}

// Run writes events until ctx is done, each within a second unless the API server is slow
// or refuses it. It returns nil, soon, and leaves no goroutine; events that are not written by then are lost. Run is called once.
func (r *Recorder) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case s := <-r.buffer:
			if ctx.Err() != nil {
				return nil
			}
			if s, known, ok := r.memory.correlate(s); ok {
				r.write(ctx, s, known)
			}
		}
	}
}

// SweepEvents deletes the events whose lastTimestamp is ttl ago or longer, once. It spares
// one that is counted up meanwhile. It goes on after an error, and returns the first.
// (Upstream passes the TTL to etcd as a lease.)
func SweepEvents(ctx context.Context, events kit.Client[*kit.CoreEvent], ttl time.Duration) error {
	list, err := events.List(ctx, kit.ListOptions{})
	if err != nil {
		return err
	}
	now := time.Now()
	var first error
	for _, e := range list.Items {
		if now.Sub(e.LastTimestamp) < ttl {
			continue
		}
		_, err := events.Delete(ctx, e.Namespace, e.Name, kit.DeleteOptions{
			Preconditions: kit.Preconditions{UID: e.UID, ResourceVersion: e.ResourceVersion},
		})
		if err != nil && !kit.IsNotFound(err) && !kit.IsConflict(err) && first == nil {
			first = err
		}
	}
	return first
}

const (
	writeFor     = 6 * time.Second
	writeAgain   = 200 * time.Millisecond
	conflictWait = 10 * time.Millisecond
)

// write creates the object of an event, or counts it up.
func (r *Recorder) write(ctx context.Context, s said, known *written) {
	deadline := time.Now().Add(writeFor)
	unsure := false // an earlier try may have been carried out
	obj := known.obj
	if obj == nil {
		obj = r.first(s)
	} else {
		obj = counted(obj, s)
	}
	for {
		var stored *kit.CoreEvent
		var err error
		if obj.ResourceVersion == "" {
			stored, err = r.Events.Create(ctx, obj)
		} else {
			stored, err = r.Events.Update(ctx, obj)
		}
		wait := writeAgain
		switch {
		case err == nil:
			known.obj = stored
			return
		case kit.IsAlreadyExists(err) && unsure, kit.IsConflict(err):
			live, getErr := r.Events.Get(ctx, obj.Namespace, obj.Name)
			switch {
			case getErr == nil && unsure && live.Count == obj.Count && live.LastTimestamp.Equal(s.at):
				known.obj = live
				return
			case getErr == nil:
				obj, unsure = counted(live, s), false
			case kit.IsNotFound(getErr):
				obj, unsure = r.first(s), false
			}
			wait = conflictWait
		case kit.IsNotFound(err) && obj.ResourceVersion != "":
			obj, unsure = r.first(s), false // its time was up
			continue
		case kit.IsAlreadyExists(err):
			obj, unsure = r.first(s), false
			wait = conflictWait
		default:
			unsure = true
		}
		if !sleep(ctx, wait) {
			return
		}
		if time.Now().After(deadline) {
			return
		}
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func (r *Recorder) first(s said) *kit.CoreEvent {
	e := kit.CoreEvents.New()
	e.Namespace = s.about.Namespace
	if e.Namespace == "" {
		e.Namespace = "default"
	}
	e.Name = fmt.Sprintf("%s.%016x", s.about.Name, rand.Uint64())
	e.InvolvedObject = s.about
	e.Type, e.Reason, e.Message, e.Source = s.eventType, s.reason, s.message, r.Component
	e.FirstTimestamp, e.LastTimestamp, e.Count = s.at, s.at, 1
	return e
}

func counted(e *kit.CoreEvent, s said) *kit.CoreEvent {
	e = e.DeepCopy()
	e.Count++
	e.LastTimestamp, e.Message = s.at, s.message
	return e
}
