//go:build ignore

// Mistake: If the value of a panic is an error, its text is that of Error. The nil pointer panics a second time.
// Killed by: panic-becomes-an-error
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
	"fmt"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *Controller) Reconcile(ctx context.Context, request kit.Request) (result kit.Result, err error) {
	if c.options.RecoverPanic == nil || *c.options.RecoverPanic {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			result, err = kit.Result{}, fmt.Errorf("panic: %v [recovered]", p)
			if e, ok := p.(error); ok {
				err = errors.New("panic: " + e.Error())
			}
		}()
	}
	if c.options.ReconciliationTimeout > 0 {
		limited, cancel := context.WithTimeout(ctx, c.options.ReconciliationTimeout)
		defer cancel()
		ctx = limited
	}
	return c.options.Reconciler.Reconcile(ctx, request)
}
