//go:build ignore

// Mistake: Better a controller with half a cache than none.
// Killed by: blocked-source
// Verdict: wrong-answer

package reconciler

import "context"

func each(ctx context.Context, sources []Source, do func(Source) error) error {
	errs := make(chan error, len(sources))
	for _, s := range sources {
		go func() { errs <- do(s) }()
	}
	for range sources {
		select {
		case err := <-errs:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
	return nil
}
