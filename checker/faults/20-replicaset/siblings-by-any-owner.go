//go:build ignore

// Mistake: Two ReplicaSets with one owner in common are siblings, whether or not it controls them.
// Killed by: siblings-share-nodes
// Verdict: wrong-answer

package replicaset

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func siblings(a, b *kit.ReplicaSet) bool {
	owner := a.ControllerOf()
	return a.UID == b.UID || owner != nil && slices.ContainsFunc(b.OwnerReferences, func(ref kit.OwnerReference) bool { return ref.UID == owner.UID })
}
