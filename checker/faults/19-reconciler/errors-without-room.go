//go:build ignore

// Mistake: The channel has a reader. Until the reader gives up; then each source that answers late waits for
//   ever.
// Killed by: blocked-source
// Verdict: goroutine-leak

package reconciler

import "context"

func each(ctx context.Context, sources []Source, do func(Source) error) error {
	errs := make(chan error)
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
			return ctx.Err()
		}
	}
	return nil
}
