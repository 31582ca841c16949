//go:build ignore

// Mistake: A Resume that comes while a component is still ending is forgotten when it has ended, and RestartAfter passes.
// Killed by: components-come-back
// Verdict: wrong-answer

package controlplane

func (c *component) down() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cancel, c.earlier = nil, false
}
