//go:build ignore

// Mistake: Two ReplicaSets have the same controller if their references to it are equal.
// Killed by: siblings-share-nodes
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func siblings(a, b *kit.ReplicaSet) bool {
	ownerA, ownerB := a.ControllerOf(), b.ControllerOf()
	return a.UID == b.UID || ownerA != nil && ownerB != nil && *ownerA == *ownerB
}
