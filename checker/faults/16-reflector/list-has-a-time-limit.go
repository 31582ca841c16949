//go:build ignore

// Mistake: A list that has taken half a minute is taken for lost. One of a large cluster takes longer, and never succeeds.
// Killed by: stops-in-a-request
// Verdict: wrong-answer

package reflector

import (
	"context"
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) list(parent context.Context) error {
	ctx, cancel := context.WithTimeout(parent, 30*time.Second)
	defer cancel()
	list, err := r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
	if kit.IsResourceExpired(err) || kit.IsTooLargeResourceVersion(err) {
		r.unavailable = true
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
