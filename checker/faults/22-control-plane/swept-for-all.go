//go:build ignore

// Mistake: An event that stood for many and is gone is forgotten, and the next similar one begins it again.
// Killed by: similar-events-are-combined
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Recorder) put(ctx context.Context, o occurrence, e *entry) error {
	if e.name == "" {
		return r.create(ctx, o, e)
	}
	event, err := r.Events.Get(ctx, e.namespace, e.name)
	if kit.IsNotFound(err) && strings.HasPrefix(e.message, CombinedPrefix) {
		e.name, e.count = "", 0
		return nil
	}
	if kit.IsNotFound(err) {
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
