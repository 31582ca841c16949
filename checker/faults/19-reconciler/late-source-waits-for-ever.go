//go:build ignore

// Mistake: Watch puts a source into the list, and Start reads the list. Start has read it already.
// Killed by: late-watch
// Verdict: wrong-answer

package reconciler

func (c *Controller) Watch(sources ...Source) error {
	ctx := c.keep(sources)
	if ctx == nil || ctx.Err() == nil {
		return nil
	}
	var first error
	for _, s := range sources {
		if err := s.Start(ctx, c.queue); err != nil && first == nil {
			first = err
		}
	}
	return first
}
