//go:build ignore

// Mistake: What is written is left to net/http, which waits until its buffer is full.
// Killed by: each-event-at-once
// Verdict: wrong-answer

package watchhttp

import "github.com/controllerbook/controllerbook/labs/kit"

func (f frames) send(what kit.EventType, object any) error {
	if err := f.encoder.Encode(frame[any]{what, object}); err != nil {
		return err
	}
	return nil
}
