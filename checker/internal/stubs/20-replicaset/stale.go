package replicaset

// This file is yours: reading one's own writes, as Kubernetes does since 1.36.
//
// For each ReplicaSet the controller remembers the newest resource version that it has
// written: for pods that of creations and adoptions, for the ReplicaSet that of its
// status. As long as the cache of that type (PodCacheVersion, ReplicaSetCacheVersion) has
// not come so far, Reconcile for this ReplicaSet returns ErrStaleCache at once. This
// does not expire.
//
// Versions are decimal numbers, and are compared as numbers. Where one is no number, or
// the function is nil, or it returns "", nothing is known, and nothing is held up.
//
// What was written for a ReplicaSet that is gone holds up no other of the same name,
// once Reconcile or the handler has found out that it is gone.
