//go:build ignore

// Mistake: Expired is code 410; that a status may have a reason and no code is not thought of.
// Killed by: asks-for-the-newest-when-it-must
// Verdict: wrong-answer

package reflector

import (
	"context"
	"errors"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) list(ctx context.Context) error {
	list, err := r.lw.List(ctx, kit.ListOptions{ResourceVersion: r.relistVersion()})
	var status *kit.StatusError
	if errors.As(err, &status) && status.ErrStatus.Code == 410 || kit.IsTooLargeResourceVersion(err) {
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
