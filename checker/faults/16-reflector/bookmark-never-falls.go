//go:build ignore

// Mistake: A bookmark is for progress, so one with a lower version is not published.
// Killed by: events-reach-the-store
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
			if inOrder && (event.Type != kit.Bookmark || event.Object.GetResourceVersion() > r.LastSyncResourceVersion()) {
				r.publish(event.Object.GetResourceVersion())
			}
		}
	}
}
