//go:build ignore

// Mistake: A refused connection is taken for the end of the server that lacked the version: the next one may know it, so
//   the list asks for the last version again.
// Killed by: asks-for-the-newest-when-it-must
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
		if kit.IsConnectionRefused(err) {
			r.unavailable = false
		}
		return fmt.Errorf("list: %w", err)
	}
	r.unavailable = false
	if err := r.store.Replace(list.Items, list.ResourceVersion); err != nil {
		return fmt.Errorf("store the list: %w", err)
	}
	r.publish(list.ResourceVersion)
	return nil
}
