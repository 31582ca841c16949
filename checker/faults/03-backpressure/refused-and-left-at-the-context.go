//go:build ignore

// Mistake: The function that rings when the context ends is set up before Run knows whether it is the first: a refused Run leaves it.
// Killed by: cancel-wakes-an-idle-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	unhook := context.AfterFunc(ctx, func() { TrySend(p.wake, struct{}{}) })
	if !p.start() {
		return ErrStarted
	}
	defer unhook()
	defer p.stop() // deferred: handle may panic
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			return err
		}
		handle(v)
	}
}
