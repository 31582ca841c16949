//go:build ignore

// Mistake: A node that has changed whenever the filters were called is no good, and the worker gives up.
// Killed by: two-workers-one-place
// Verdict: wrong-answer

package scheduler

import "errors"

func (a *attempt) assume(node *NodeInfo) (done bool, err error) {
	for range 4 {
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
	}
	return false, errors.New("the node changes all the time")
}
