//go:build ignore

// Mistake: A resync brings nothing new, so the handler is added with a resync period of zero.
// Killed by: kind-tells-its-handler
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (k *kind[T]) Start(ctx context.Context, queue kit.RateLimitingQueue[kit.Request]) error {
	registration, err := k.informer.AddEventHandlerWithResyncPeriod(filtered[T]{k.handler(queue), k.predicates}, 0)
	if err != nil {
		return fmt.Errorf("adding a handler to an informer: %w", err)
	}
	k.registration = registration
	context.AfterFunc(ctx, func() { _ = k.informer.RemoveEventHandler(registration) })
	return nil
}
