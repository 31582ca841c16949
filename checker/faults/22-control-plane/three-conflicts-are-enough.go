//go:build ignore

// Mistake: An event is given up after three conflicts.
// Killed by: a-recorder-never-blocks
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Recorder) write(ctx context.Context, o occurrence, e *entry) {
	for conflicts := 0; conflicts < 3; {
		err := r.put(ctx, o, e)
		if err == nil || ctx.Err() != nil {
			return
		}
		if kit.IsConflict(err) {
			conflicts++
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(recordPause):
		}
	}
}
