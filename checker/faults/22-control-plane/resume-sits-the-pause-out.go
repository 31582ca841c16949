//go:build ignore

// Mistake: Resume takes the mark away, and the component starts when its pause is over.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

func (c *component) resume() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.stopped {
		return false
	}
	c.stopped = false
	select {
	case c.kicks <- struct{}{}:
	default:
	}
	return true
}
