package replicaset

// This file is yours: which pods are the replicas of a ReplicaSet.
//
// Reconcile looks only at active pods (Pod.Active) of its namespace, and only the
// owner reference with Controller set counts. The reference names the ReplicaSet by UID.
// Unlike in handlers.go, its Kind and name do not matter here.
//
//   - A pod that it controls and that its selector matches is a replica.
//   - A pod that another object controls is ignored, whatever its labels.
//   - A pod that it controls and that its selector does not match is released: Update
//     removes the reference, and the pod is no replica.
//   - A pod without a controller that its selector matches is adopted: Update adds a
//     reference like that of a created pod. Other references stay. If the Update succeeds,
//     the pod is a replica from this Reconcile on.
//
// Neither Update changes anything else of the pod as the API server has it, not even after a
// Conflict.
//
// What becomes of a second reference to the UID of the ReplicaSet, without Controller, is left
// open, in a release as in an adoption.
//
// Before the first adoption of a Reconcile, Get reads the ReplicaSet afresh. If that fails,
// or it is gone, has another UID or is being deleted, nothing is adopted and Reconcile returns
// an error: perhaps the garbage collector has just orphaned these pods on purpose. Whether
// pods are released then is left open. A ReplicaSet that is being deleted according to the
// cache neither adopts nor releases, and that is no error. Its replicas are the pods that it
// controls and that its selector matches.
//
// An Update that fails is an error, and Reconcile still adopts and releases all others that it
// should. NotFound is no error: the pod is gone, and is no replica. After a Conflict, Reconcile
// may read the pod afresh and judge it again by all of the above, or return the error. It does not
// try for ever: after a number of conflicts it returns the error. If the pod turns out to be gone,
// either is right.
