//go:build ignore

// Mistake: An event that is gone is created anew with the count that it would have had.
// Killed by: a-recorder-never-blocks
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
		e.name, e.first = "", o.at
		return r.create(ctx, o, e)
	}
	if err != nil {
		return err
	}
	event.Count, event.LastTimestamp, event.Message = e.count, o.at, e.message
	_, err = r.Events.Update(ctx, event)
	return err
}
