//go:build ignore

// Mistake: The same event only gets a later time.
// Killed by: the-same-event-is-counted
// Verdict: wrong-answer

package controlplane

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Recorder) put(ctx context.Context, o occurrence, e *entry) error {
	if e.name == "" {
		return r.create(ctx, o, e)
	}
	event, err := r.Events.Get(ctx, e.namespace, e.name)
	if kit.IsNotFound(err) {
		e.name, e.count, e.first = "", 1, o.at
		return r.create(ctx, o, e)
	}
	if err != nil {
		return err
	}
	event.LastTimestamp, event.Message = o.at, e.message
	_, err = r.Events.Update(ctx, event)
	return err
}
