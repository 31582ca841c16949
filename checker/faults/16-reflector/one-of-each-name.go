//go:build ignore

// Mistake: The name alone is taken for the key of an object, so that of two namespaces with the same names one is lost.
// Killed by: publishes-what-is-stored
// Verdict: wrong-answer

package reflector

import (
	"context"
	"fmt"
	"slices"

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
	seen := map[string]bool{}
	list.Items = slices.DeleteFunc(list.Items, func(o T) bool {
		twice := seen[o.GetName()]
		seen[o.GetName()] = true
		return twice
	})
	if err := r.store.Replace(list.Items, list.ResourceVersion); err != nil {
		return fmt.Errorf("store the list: %w", err)
	}
	r.publish(list.ResourceVersion)
	return nil
}
