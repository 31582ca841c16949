//go:build ignore

// Mistake: The ctx of Start is not kept in the controller, as ctx should not be; so a late source gets
//   another one.
// Killed by: late-watch
// Verdict: wrong-answer

package reconciler

import "context"

func (c *Controller) Watch(sources ...Source) error {
	ctx := c.keep(sources)
	if ctx == nil {
		return nil
	}
	var first error
	for _, s := range sources {
		if err := s.Start(context.WithoutCancel(ctx), c.queue); err != nil && first == nil {
			first = err
		}
	}
	return first
}
