//go:build ignore

// Mistake: One answer is read from the channel, and not one for each source.
// Killed by: syncs-before-work
// Verdict: wrong-answer

package reconciler

import "context"

func each(ctx context.Context, sources []Source, do func(Source) error) error {
	errs := make(chan error, len(sources))
	for _, s := range sources {
		go func() { errs <- do(s) }()
	}
	for range min(1, len(sources)) {
		select {
		case err := <-errs:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
