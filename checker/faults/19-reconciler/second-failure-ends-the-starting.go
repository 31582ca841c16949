//go:build ignore

// Mistake: Two sources have failed, so Start gives up on the rest.
// Killed by: source-error-ends-start
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"time"
)

func each(ctx context.Context, sources []Source, do func(Source) error) error {
	errs := make(chan error, len(sources))
	failed := 0
	for _, s := range sources {
		if failed == 2 {
			break
		}
		err := make(chan error, 1)
		go func() { err <- do(s) }()
		select {
		case e := <-err:
			if e != nil {
				failed++
			}
			errs <- e
		case <-time.After(time.Millisecond):
			go func() { errs <- <-err }()
		}
	}
	for range sources {
		select {
		case err := <-errs:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return ctx.Err()
}
