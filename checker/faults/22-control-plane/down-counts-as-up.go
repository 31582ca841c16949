//go:build ignore

// Mistake: Kill says of everything that is not stopped that it was up.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

func (c *component) kill() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.cancel != nil {
		c.cancel()
	}
	return !c.stopped
}
