//go:build ignore

// Mistake: A good recorder writes what waits before it goes, without a ctx that is done.
// Killed by: a-recorder-never-blocks
// Verdict: wrong-answer

package controlplane

import "context"

func (r *Recorder) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			for o, ok := r.next(); ok; o, ok = r.next() {
				if e := r.memory.correlate(o); e != nil {
					r.write(context.WithoutCancel(ctx), o, e)
				}
			}
			return nil
		case <-r.wake:
		}
		for o, ok := r.next(); ok; o, ok = r.next() {
			if e := r.memory.correlate(o); e != nil {
				r.write(ctx, o, e)
			}
			if ctx.Err() != nil {
				break
			}
		}
	}
}
