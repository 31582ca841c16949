package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// The limits of a Recorder, as in client-go tools/record.
const (
	SimilarEvents   = 10               // from this many different messages on, similar events are combined
	SimilarInterval = 10 * time.Minute // similar events further apart than this do not belong together
	SpamBurst       = 25               // this many events about one object are written at once
	SpamRefill      = 5 * time.Minute  // and one more after each such time
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
//     Whether the next event that stands for all is another object then is left open.
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
// lost; nobody hears of that, and those behind it may wait as long. Memory is bounded: a
// Recorder remembers 4096 events or so, and may forget the rest. What becomes of a request
// that was stored, though its answer was an error, is left open: it may count twice, or
// have two objects.
type Recorder struct {
	// yours
}

var _ kit.EventRecorder = (*Recorder)(nil)

// NewRecorder makes a Recorder. It starts no goroutine.
func NewRecorder(options RecorderOptions) *Recorder {
	panic(kit.TODO("NewRecorder"))
}

// Eventf notes an event. It never blocks, not for the API server and not for Run: an
// event without room in the buffer is lost. The event happened at the time of the call.
// Its message is made by then, too. It may be called from any goroutine, before Run,
// during it and after it.
func (r *Recorder) Eventf(about kit.ObjectReference, eventType, reason, format string, args ...any) {
	panic(kit.TODO("Recorder.Eventf"))
}

// Run writes events until ctx is done, each within a second unless the API server is slow
// or refuses it. It returns nil, soon, and leaves no goroutine; events that are not written
// by then are lost. Run is called once.
func (r *Recorder) Run(ctx context.Context) error {
	panic(kit.TODO("Recorder.Run"))
}

// SweepEvents deletes the events whose lastTimestamp is ttl ago or longer, once. It spares
// one that is counted up meanwhile, which is no error; nor is one that is gone already. It
// goes on after an error, and returns the first.
// (Upstream passes the TTL to etcd as a lease.)
func SweepEvents(ctx context.Context, events kit.Client[*kit.CoreEvent], ttl time.Duration) error {
	panic(kit.TODO("SweepEvents"))
}
