package kit

import "time"

// CoreEvent is the API object named Event: a note for people about what became of
// another object (corev1.Event). It is no event of a watch, though it is watched like
// every object; the two share a name upstream, and here not even that.
type CoreEvent struct {
	TypeMeta   `json:",inline"`
	ObjectMeta `json:"metadata,omitzero"`

	InvolvedObject ObjectReference `json:"involvedObject"`
	Type           string          `json:"type,omitempty"`   // EventNormal or EventWarning
	Reason         string          `json:"reason,omitempty"` // one word for machines: "FailedScheduling"
	Message        string          `json:"message,omitempty"`
	Source         string          `json:"source,omitempty"` // the component that says so
	FirstTimestamp time.Time       `json:"firstTimestamp,omitzero"`
	LastTimestamp  time.Time       `json:"lastTimestamp,omitzero"`
	Count          int             `json:"count,omitempty"` // how often it has happened
}

// The types of a CoreEvent.
const (
	EventNormal  = "Normal"
	EventWarning = "Warning"
)

// ObjectReference points at an object (corev1.ObjectReference).
type ObjectReference struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	UID        string `json:"uid,omitempty"`
}

// ReferenceTo points at obj.
func ReferenceTo[T Object](typ Type[T], obj T) ObjectReference {
	uid, _ := typ.Created(obj)
	return ObjectReference{typ.APIVersion, typ.Kind, obj.GetNamespace(), obj.GetName(), uid}
}

// EventRecorder writes CoreEvents for a component (client-go record.EventRecorder).
// It never blocks its caller and never fails it: what cannot be written is lost. Nil
// is no EventRecorder; DiscardEvents is one that writes nothing.
type EventRecorder interface {
	// Eventf notes that something has happened to an object.
	Eventf(about ObjectReference, eventType, reason, format string, args ...any)
}

// DiscardEvents is an EventRecorder that drops every event.
type DiscardEvents struct{}

// Eventf does nothing.
func (DiscardEvents) Eventf(ObjectReference, string, string, string, ...any) {}

// DeepCopy returns a copy that shares no memory with e.
func (e *CoreEvent) DeepCopy() *CoreEvent {
	out := *e
	e.ObjectMeta.DeepCopyInto(&out.ObjectMeta)
	return &out
}

var coreEventMeta = TypeMeta{Kind: "Event", APIVersion: "v1"}

// CoreEvents describes *CoreEvent to generic code. An event asks for nothing, so its
// spec never changes.
var CoreEvents = described(coreEventMeta, "events",
	func() *CoreEvent { return &CoreEvent{TypeMeta: coreEventMeta} },
	func(_, _ *CoreEvent) bool { return true })
