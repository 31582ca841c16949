//go:build ignore

// Mistake: The second list, the one that has to bring the newest state, gets a context that is never done.
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
		list, err = r.lw.List(context.Background(), kit.ListOptions{ResourceVersion: r.relistVersion()})
	}
	if err != nil {
		return fmt.Errorf("list: %w", err)
	}
	r.unavailable = false
	if err := r.store.Replace(list.Items, list.ResourceVersion); err != nil {
		return fmt.Errorf("store the list: %w", err)
	}
	r.publish(list.ResourceVersion)
	return nil
}
