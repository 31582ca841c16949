//go:build ignore

// Mistake: AddEventHandler has an error that never comes.
// Killed by: kind-waits-for-its-handler
// Verdict: panic

package reconciler

import (
	"context"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (k *kind[T]) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	registration, err := k.informer.AddEventHandler(filtered[T]{k.handler(queue), k.predicates})
	if err != nil {
		return nil
	}
	k.registration = registration
	context.AfterFunc(ctx, func() { _ = k.informer.RemoveEventHandler(registration) })
	return nil
}
