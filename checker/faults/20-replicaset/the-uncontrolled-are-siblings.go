//go:build ignore

// Mistake: All ReplicaSets that nothing controls are taken for those of one controller, and their pods for related.
// Killed by: siblings-share-nodes
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func siblings(a, b *kit.ReplicaSet) bool {
	ownerA, ownerB := a.ControllerOf(), b.ControllerOf()
	if ownerA == nil || ownerB == nil {
		return ownerA == ownerB
	}
	return ownerA.UID == ownerB.UID
}
