//go:build ignore

// Mistake: A panic of handle is recovered to stop the pump, and what goes on to the caller is its text.
// Killed by: panic-goes-to-the-caller
// Verdict: wrong-answer

package backpressure

import (
	"context"
	"fmt"
)

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer func() {
		r := recover()
		p.stop()
		if err, ok := r.(error); ok {
			panic(err)
		} else if r != nil {
			panic(fmt.Sprint(r))
		}
	}()
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}
