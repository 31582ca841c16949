//go:build ignore

// Mistake: A source is started when it is watched, with whatever ctx there is.
// Killed by: syncs-before-work
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) Watch(sources ...Source) error {
	ctx := c.keep(sources)
	if ctx == nil {
		ctx = context.Background()
	}
	var first error
	for _, s := range sources {
		if err := s.Start(ctx, c.queue); err != nil && first == nil {
			first = err
		}
	}
	return first
}
