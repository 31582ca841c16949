//go:build ignore

// Mistake: An event that is there already is stored before anybody looks at ctx, and so is the next one.
// Killed by: stops-in-a-request
// Verdict: wrong-answer

package reflector

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) consume(ctx context.Context, events <-chan kit.Event[T], inOrder bool, broken <-chan error) (count int, err error) {
	for {
		var event kit.Event[T]
		var ok bool
		select {
		case event, ok = <-events:
		default:
			select {
			case <-ctx.Done():
				return count, ctx.Err()
			case err := <-broken:
				return count, err
			case event, ok = <-events:
			}
		}
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
		inOrder = inOrder || event.Type != kit.Added
		if inOrder {
			r.publish(event.Object.GetResourceVersion())
		}
	}
}
