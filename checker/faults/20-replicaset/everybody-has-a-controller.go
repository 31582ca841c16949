//go:build ignore

// Mistake: The controllers of two ReplicaSets are compared without a look at whether the other one has one.
// Killed by: siblings-share-nodes
// Verdict: panic

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func siblings(a, b *kit.ReplicaSet) bool {
	ownerA, ownerB := a.ControllerOf(), b.ControllerOf()
	return a.UID == b.UID || ownerA != nil && ownerA.UID == ownerB.UID
}
