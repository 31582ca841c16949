//go:build ignore

// Mistake: The owner reference takes APIVersion and Kind from the object in the cache. The caches of typed clients leave both
//   empty, and then no handler finds the owner of the pod.
// Killed by: creates-what-is-missing
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func controllerReference(rs *kit.ReplicaSet) kit.OwnerReference {
	return kit.OwnerReference{APIVersion: rs.APIVersion, Kind: rs.Kind, Name: rs.Name, UID: rs.UID, Controller: true}
}
