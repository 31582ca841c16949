//go:build ignore

// Mistake: The related pods are those of the other ReplicaSets with the same controller. The ReplicaSet's own pods are forgotten.
// Killed by: siblings-share-nodes
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func siblings(a, b *kit.ReplicaSet) bool {
	ownerA, ownerB := a.ControllerOf(), b.ControllerOf()
	return a.UID != b.UID && ownerA != nil && ownerB != nil && ownerA.UID == ownerB.UID
}
