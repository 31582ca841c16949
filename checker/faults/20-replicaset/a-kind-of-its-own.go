//go:build ignore

// Mistake: The reference has the APIVersion that the object in the cache has, if it has one.
// Killed by: creates-what-is-missing
// Verdict: wrong-answer

package replicaset

import (
	"cmp"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func controllerReference(rs *kit.ReplicaSet) kit.OwnerReference {
	return kit.OwnerReference{
		APIVersion: cmp.Or(rs.APIVersion, kit.ReplicaSets.APIVersion), Kind: kit.ReplicaSets.Kind,
		Name: rs.Name, UID: rs.UID, Controller: true,
	}
}
