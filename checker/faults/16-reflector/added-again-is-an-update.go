//go:build ignore

// Mistake: An Added event about an object that this watch has added before is taken for a change of it.
// Killed by: events-reach-the-store
// Verdict: wrong-answer

package reflector

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *Reflector[T]) consume(ctx context.Context, events <-chan kit.Event[T], inOrder bool, broken <-chan error) (count int, err error) {
	known := map[string]bool{}
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
			if event.Type == kit.Added {
				if key := kit.Key(event.Object); known[key] {
					event.Type = kit.Modified
				} else {
					known[key] = true
				}
			}
			if !r.apply(event) {
				continue
			}
			if inOrder {
				r.publish(event.Object.GetResourceVersion())
			}
		}
	}
}
