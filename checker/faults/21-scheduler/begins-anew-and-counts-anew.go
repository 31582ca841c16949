//go:build ignore

// Mistake: When a worker looks for another node, it sees all that has happened so far. So it counts the events from there.
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
		a.entry.began = a.queue.events
		a.mu.Unlock()
	}
}
