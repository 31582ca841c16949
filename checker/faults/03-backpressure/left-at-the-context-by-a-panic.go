//go:build ignore

// Mistake: The function that rings when the context ends is stopped where Run returns: a panic of handle goes past it.
// Killed by: cancel-wakes-an-idle-pump
// Verdict: wrong-answer

package backpressure

import "context"

func (p *Pump[T]) Run(ctx context.Context, handle func(v T)) error {
	if !p.start() {
		return ErrStarted
	}
	defer p.stop() // deferred: handle may panic
	unhook := context.AfterFunc(ctx, func() { TrySend(p.wake, struct{}{}) })
	for {
		v, ok, err := p.next(ctx)
		if !ok {
			unhook()
			return err
		}
		handle(v)
	}
}

func (p *Pump[T]) next(ctx context.Context) (v T, ok bool, err error) {
	for {
		if err := ctx.Err(); err != nil {
			return v, false, err
		}
		v, ok, last := p.take()
		if ok || last {
			return v, ok, nil
		}
		<-p.wake
	}
}
