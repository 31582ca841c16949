package fake

import (
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Recorder is a kit.EventRecorder that keeps every event.
type Recorder struct {
	t     *conform.T
	actor *conform.Actor

	mu    sync.Mutex // guards the fields below
	notes []Note
	then  func()
}

// Note is an event that was recorded.
type Note struct {
	About                 kit.ObjectReference
	Type, Reason, Message string
	At                    time.Duration // from the beginning of the case
}

var _ kit.EventRecorder = (*Recorder)(nil)

// NewRecorder is a recorder without events.
func NewRecorder(t *conform.T) *Recorder { return &Recorder{t: t, actor: t.Named("recorder")} }

// Eventf keeps an event.
func (r *Recorder) Eventf(about kit.ObjectReference, eventType, reason, format string, args ...any) {
	n := Note{about, eventType, reason, fmt.Sprintf(format, args...), r.t.Elapsed()}
	r.actor.Note("%s: %s", n.summary(), n.Message)
	r.mu.Lock()
	r.notes = append(r.notes, n)
	then := r.then
	r.mu.Unlock()
	if then != nil {
		then()
	}
}

func (n Note) summary() string {
	return fmt.Sprintf("%s %s %s/%s", n.Type, n.Reason, n.About.Kind, n.About.Name)
}

// Then has f called after each event, without a lock.
func (r *Recorder) Then(f func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.then = f
}

// Notes are all events, the oldest first.
func (r *Recorder) Notes() []Note {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.notes)
}

// Of are the events about the objects of a name, the oldest first.
func (r *Recorder) Of(name string) []Note {
	return slices.DeleteFunc(r.Notes(), func(n Note) bool { return n.About.Name != name })
}

// Counts is how often there was an event "Type Reason Kind/Name".
func (r *Recorder) Counts() map[string]int {
	counts := map[string]int{}
	for _, n := range r.Notes() {
		counts[n.summary()]++
	}
	return counts
}
