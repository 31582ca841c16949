//go:build ignore

// Mistake: The store's method for an event is called on a goroutine that is left when a Resync has failed.
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
			applied := make(chan bool, 1)
			go func() { applied <- r.apply(event) }()
			var known bool
			select {
			case known = <-applied:
			case err := <-broken:
				return count, err
			}
			if !known {
				continue
			}
			inOrder = inOrder || event.Type != kit.Added
			if inOrder {
				r.publish(event.Object.GetResourceVersion())
			}
		}
	}
}
