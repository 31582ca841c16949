//go:build ignore

// Mistake: A list that a busy server refuses is asked for again within ListAndWatch, after a wait, as a watch is. Nobody hears of it.
// Killed by: errors-are-told
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
	for ctx.Err() == nil && (kit.IsTooManyRequests(err) || kit.IsConnectionRefused(err)) {
		r.backoff.wait(ctx)
		list, err = r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
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
