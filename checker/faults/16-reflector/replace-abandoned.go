//go:build ignore

// Mistake: So that a slow store does not delay the end, Replace gets a goroutine of its own, and when ctx is done
//   nobody waits for it.
// Killed by: stops-in-a-request
// Verdict: wrong-answer

package reflector

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) list(ctx context.Context) error {
	list, err := r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
	if kit.IsResourceExpired(err) || kit.IsTooLargeResourceVersion(err) {
		r.unavailable = true
		list, err = r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
	}
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	r.unavailable = false
	stored := make(chan error, 1)
	go func() { stored <- r.store.Replace(list.Items, list.ResourceVersion) }()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case err = <-stored:
	}
	if err != nil {
		return fmt.Errorf("store the list: %w", err)
	}
	r.publish(list.ResourceVersion)
	return nil
}
