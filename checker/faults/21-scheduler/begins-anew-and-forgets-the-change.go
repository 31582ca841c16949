//go:build ignore

// Mistake: When a worker looks for another node, it takes the pod as it is by now. So its change is no news any longer.
// Killed by: two-workers-one-place
// Verdict: wrong-answer

package scheduler

func (a *attempt) find() (node string, err error) {
	for {
		if err := a.filter(); err != nil {
			return "", err
		}
		node := a.best()
		done, err := a.assume(node)
		if done || err != nil {
			return node.Node.Name, err
		}
		a.mu.Lock()
		a.entry.changed = false
		a.mu.Unlock()
	}
}
