//go:build ignore

// Mistake: The event is written with the names of its Go fields.
// Killed by: streams-one-event-a-line
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

type frame[O any] struct {
	Type   kit.EventType `json:",omitempty"`
	Object O             `json:",omitempty"`
}
