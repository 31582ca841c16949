//go:build ignore

// Mistake: The version of an event is set before the store has it.
// Killed by: publishes-what-is-stored
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
			inOrder = inOrder || event.Type != kit.Added
			if inOrder {
				r.publish(event.Object.GetResourceVersion())
			}
			r.apply(event)
		}
	}
}
