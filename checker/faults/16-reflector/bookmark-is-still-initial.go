//go:build ignore

// Mistake: A bookmark does not count as the end of the objects that a watch from 0 begins with.
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
			if event.Type == kit.Error {
				return count, statusError(event.Status)
			}
			if !r.apply(event) {
				continue
			}
			inOrder = inOrder || event.Type != kit.Added && event.Type != kit.Bookmark
			if inOrder {
				r.publish(event.Object.GetResourceVersion())
			}
		}
	}
}
