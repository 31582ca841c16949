package replicaset

// This file is yours: which pods are the replicas of a ReplicaSet.
//
// Only active pods (Pod.Active) of its namespace are looked at, and only the owner
// reference with Controller set counts. The reference names the ReplicaSet by UID.
//
//   - A pod that it controls and that its selector matches is a replica.
//   - A pod that another object controls is none of its business, whatever its labels.
//   - A pod that it controls and that its selector does not match is released: the
//     reference is taken away, by Update, and the pod is no replica.
//   - A pod without a controller that its selector matches is adopted: a reference
//     like that of a created pod is added, by Update. Other references stay. If that
//     succeeds, the pod is a replica from this Reconcile on.
//
// Before the first adoption of a Reconcile the ReplicaSet is read afresh, by Get. If it
// is gone, has another UID or is being deleted, nothing is adopted and Reconcile returns
// an error: the garbage collector has perhaps just orphaned these pods on purpose. A
// ReplicaSet that the cache knows to be deleted neither adopts nor releases, and that is
// no error.
//
// An Update that fails is an error, and all other pods are looked at all the same. That
// the pod is NotFound is no error, and the pod is no replica. On a Conflict the
// pod may be read afresh and judged again, or the error returned.
