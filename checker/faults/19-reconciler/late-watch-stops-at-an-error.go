//go:build ignore

// Mistake: Watch returns at the first error, and what stands behind it is never started.
// Killed by: late-watch
// Verdict: wrong-answer

package reconciler

func (c *Controller) Watch(sources ...Source) error {
	ctx := c.keep(sources)
	if ctx == nil {
		return nil
	}
	var first error
	for _, s := range sources {
		if err := s.Start(ctx, c.queue); err != nil && first == nil {
			return err
		}
	}
	return first
}
