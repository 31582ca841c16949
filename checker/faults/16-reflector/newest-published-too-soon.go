//go:build ignore

// Mistake: The version that the server lacks is of no use any longer, so that of the newest list takes its place at once,
//   before the store has the list and whether it takes it.
// Killed by: publishes-what-is-stored
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
	if r.unavailable {
		r.publish(list.ResourceVersion)
	}
	r.unavailable = false
	if err := r.store.Replace(list.Items, list.ResourceVersion); err != nil {
		return fmt.Errorf("store the list: %w", err)
	}
	r.publish(list.ResourceVersion)
	return nil
}
