//go:build ignore

// Mistake: A Resync that has failed while the store took an event ends the watch before the version of that event is published.
// Killed by: resync-ends-with-its-watches
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
			select {
			case err := <-broken:
				return count, err
			default:
			}
			inOrder = inOrder || event.Type != kit.Added
			if inOrder {
				r.publish(event.Object.GetResourceVersion())
			}
		}
	}
}
