//go:build ignore

// Mistake: After the filters were called again the pod is taken as it is by now. But it may have changed once more while
//   they were called.
// Killed by: two-workers-one-place
// Verdict: wrong-answer

package scheduler

func (a *attempt) assume(node *NodeInfo) (done bool, err error) {
	for {
		pod, now := a.tryAssume(node)
		switch {
		case pod == nil:
			return false, errGone
		case now == nil:
			return false, nil
		case pod == a.pod && now == node:
			return true, nil
		}
		a.pod, node = pod, now
		if a.refuses(node) != nil {
			return false, nil
		}
		a.mu.Lock()
		a.pod = a.entry.pod
		a.mu.Unlock()
	}
}
