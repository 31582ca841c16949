//go:build ignore

// Mistake: All answers are waited for before one is looked at. When the time is over there is only that to tell.
// Killed by: blocked-source
// Verdict: wrong-answer

package reconciler

import (
	"context"
	"errors"
)

func each(ctx context.Context, sources []Source, do func(Source) error) error {
	errs := make(chan error, len(sources))
	for _, s := range sources {
		go func() { errs <- do(s) }()
	}
	var all []error
	for range sources {
		select {
		case err := <-errs:
			all = append(all, err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return errors.Join(all...)
}
