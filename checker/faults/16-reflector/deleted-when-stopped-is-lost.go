//go:build ignore

// Mistake: What the store has deleted while ctx was done is not published.
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
			if !r.apply(event) {
				continue
			}
			inOrder = inOrder || event.Type != kit.Added
			if inOrder && (event.Type != kit.Deleted || ctx.Err() == nil) {
				r.publish(event.Object.GetResourceVersion())
			}
		}
	}
}
