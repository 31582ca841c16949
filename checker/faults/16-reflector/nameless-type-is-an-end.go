//go:build ignore

// Mistake: An event without a type is taken for the zero value that a closed channel delivers.
// Killed by: skips-what-it-does-not-know
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
			if !ok || event.Type == "" {
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
}
