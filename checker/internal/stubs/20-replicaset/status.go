package replicaset

// This file is yours: what the controller reports.
//
// The status counts the replicas of claim.go. A pod that has just been created does not
// count until the cache shows it, and one that has just been deleted counts until the
// cache shows that.
//
//   - Replicas is how many there are.
//   - ReadyReplicas is how many of them are ready.
//   - AvailableReplicas is how many of them are available: ready, and with MinReadySeconds
//     above zero ready for at least so long. With MinReadySeconds above zero a pod whose
//     ReadySince is not known is not available.
//   - ObservedGeneration is the generation of the ReplicaSet that was acted on: the one
//     in the cache.
//
// If none of this differs from the status in the cache, nothing is written. Otherwise
// Update writes the ReplicaSet, with nothing changed but its status.
//
// A Conflict is normal: somebody has changed the ReplicaSet meanwhile. After each one Get reads
// it afresh, and only its status is replaced, by the one that was to be written, its
// ObservedGeneration included. If the fresh status is the same already, the Update may be
// left out. So Update is tried at least once more, and at most ten times in all; then the
// Conflict is returned. Every other error, of Update or of Get, is returned; whether the
// request is tried again before that, as upstream does, is left open. So is what happens if
// the ReplicaSet that Get reads has another UID.
