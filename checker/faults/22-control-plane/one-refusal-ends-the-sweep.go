//go:build ignore

// Mistake: An event that cannot be deleted ends the sweep, and those behind it stay.
// Killed by: old-events-are-swept
// Verdict: wrong-answer

package controlplane

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func SweepEvents(ctx context.Context, events kit.Client[*kit.CoreEvent], ttl time.Duration) error {
	list, err := events.List(ctx, kit.ListOptions{})
	if err != nil {
		return fmt.Errorf("list events: %w", err)
	}
	for _, e := range list.Items {
		if time.Since(e.LastTimestamp) < ttl {
			continue
		}
		_, err := events.Delete(ctx, e.Namespace, e.Name,
			kit.DeleteOptions{Preconditions: kit.Preconditions{UID: e.UID, ResourceVersion: e.ResourceVersion}})
		if err != nil && !kit.IsNotFound(err) && !kit.IsConflict(err) {
			return fmt.Errorf("delete event %s: %w", kit.Key(e), err)
		}
	}
	return nil
}
