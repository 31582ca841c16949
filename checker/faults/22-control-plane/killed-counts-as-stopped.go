//go:build ignore

// Mistake: Resume says of everything that is down that it was stopped.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

func (c *component) resume() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		return c.cancel == nil
	}
	c.stopped, c.earlier = false, true
	select {
	case c.kicks <- struct{}{}:
	default:
	}
	return true
}
