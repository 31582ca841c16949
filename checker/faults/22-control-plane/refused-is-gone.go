//go:build ignore

// Mistake: An event that could not be read is taken for gone, and a second object is created.
// Killed by: a-recorder-never-blocks
// Verdict: wrong-answer

package controlplane

import "context"

func (r *Recorder) put(ctx context.Context, o occurrence, e *entry) error {
	if e.name == "" {
		return r.create(ctx, o, e)
	}
	event, err := r.Events.Get(ctx, e.namespace, e.name)
	if err != nil {
		e.name, e.count, e.first = "", 1, o.at
		return r.create(ctx, o, e)
	}
	event.Count, event.LastTimestamp, event.Message = e.count, o.at, e.message
	_, err = r.Events.Update(ctx, event)
	return err
}
