//go:build ignore

// Mistake: If both lists fail, the error wraps both, because no error may be lost.
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
		first := err
		list, err = r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
		if err != nil {
			err = fmt.Errorf("%w, after %w", err, first)
		}
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
