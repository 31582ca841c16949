package upstream

import "context"

// source is a watch, upstream's or the kit's.
type source[E any] interface {
	Stop()
	ResultChan() <-chan E
}

// relay is a watch that says what another one says in other words, until that one ends
// or it is stopped itself.
type relay[E any] struct {
	out  chan E
	stop func()
}

func newRelay[S, E any](from source[S], translate func(S) E) *relay[E] {
	ctx, cancel := context.WithCancel(context.Background())
	r := &relay[E]{out: make(chan E), stop: func() { cancel(); from.Stop() }}
	go func() {
		defer close(r.out)
		pass(ctx, from.ResultChan(), r.out, translate)
	}()
	return r
}

func (r *relay[E]) Stop()                { r.stop() }
func (r *relay[E]) ResultChan() <-chan E { return r.out }

func pass[S, E any](ctx context.Context, in <-chan S, out chan<- E, translate func(S) E) {
	for {
		select {
		case e, more := <-in:
			if !more {
				return
			}
			select {
			case out <- translate(e):
			case <-ctx.Done():
				return
			}
		case <-ctx.Done():
			return
		}
	}
}
