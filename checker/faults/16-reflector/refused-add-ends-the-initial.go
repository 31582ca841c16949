//go:build ignore

// Mistake: An Added event that the store refuses is taken for one about a known object, so the objects that exist are all there.
// Killed by: initial-adds-do-not-move-the-version
// Verdict: wrong-answer

package reflector

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) consume(ctx context.Context, events <-chan kit.Event[T], inOrder bool, broken <-chan error) (count int, err error) {
	for {
		select {
		case <-ctx.Done():
			return count, ctx.Err()
		case err := <-broken:
			return count, err
		case event, ok := <-events:
			if !ok {
				return count, nil
			}
			count++
			switch event.Type {
			case kit.Added:
				if r.store.Add(event.Object) != nil {
					inOrder = true
				}
			case kit.Error:
				return count, statusError(event.Status)
			default:
				if !r.apply(event) {
					continue
				}
				inOrder = true
			}
			if inOrder {
				r.publish(event.Object.GetResourceVersion())
			}
		}
	}
}
