//go:build ignore

// Mistake: Whether two ReplicaSets are siblings asks for the controller of the other one alone.
// Killed by: siblings-share-nodes
// Verdict: panic

package replicaset

func siblings(a, b *kit.ReplicaSet) bool {
	ownerA, ownerB := a.ControllerOf(), b.ControllerOf()
	return a.UID == b.UID || ownerB != nil && ownerA.UID == ownerB.UID
}
