//go:build ignore

// Mistake: Only a Deployment controls several ReplicaSets.
// Killed by: siblings-share-nodes
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func siblings(a, b *kit.ReplicaSet) bool {
	ownerA, ownerB := a.ControllerOf(), b.ControllerOf()
	return a.UID == b.UID || ownerA != nil && ownerB != nil && ownerA.UID == ownerB.UID && ownerA.Kind == kit.Deployments.Kind
}
