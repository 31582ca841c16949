//go:build ignore

// Mistake: What the handler has forgotten is thought to stay forgotten. A request that was under way is answered
//   afterwards, and its version delays the next ReplicaSet of the name.
// Killed by: own-writes-first
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func (w *written) succeed(*kit.ReplicaSet) {}
