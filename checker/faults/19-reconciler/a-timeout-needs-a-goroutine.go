//go:build ignore

// Mistake: With a ReconciliationTimeout the Reconciler is called on a goroutine of its own, and waited for.
// Killed by: reconcile-timeout
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	if c.options.ReconciliationTimeout <= 0 {
		return c.once(ctx, request)
	}
	limited, cancel := context.WithTimeout(ctx, c.options.ReconciliationTimeout)
	defer cancel()
	var result kit.Result
	var err error
	var thrown any
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { thrown = recover() }()
		result, err = c.once(limited, request)
	}()
	<-done
	if thrown != nil {
		panic(thrown)
	}
	return result, err
}

func (c *Controller) once(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	if c.options.RecoverPanic == nil || *c.options.RecoverPanic {
		defer func() {
			if p := recover(); p != nil {
				result, err = kit.Result{}, fmt.Errorf("panic: %v [recovered]", p)
			}
		}()
	}
	return c.options.Reconciler.Reconcile(ctx, request)
}
