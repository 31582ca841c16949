package replicaset

// This file is yours: reading your own writes, as Kubernetes does since 1.36.
//
// For each ReplicaSet the controller remembers the newest resource version that it has
// written: for pods that of creations and adoptions, for the ReplicaSet that of its
// status. As long as the cache of that type (PodCacheVersion, ReplicaSetCacheVersion) has
// not come that far, Reconcile for this ReplicaSet returns ErrStaleCache at once. This
// does not expire. Whether a release is remembered, too, is left open. The version of a
// deletion is never remembered, even if Delete returns one.
//
// Versions are decimal numbers, and are compared as numbers. A written version that is no
// number is not remembered. If that of a cache is none, or the function is nil or returns "",
// nothing is known of that cache, and it delays nobody; the other one is compared all the same.
// What a number with a sign, with leading zeros or of more than 63 bits says is left open.
//
// Writes for a ReplicaSet that is gone do not delay another one of the same name, once
// Reconcile or the handler has found out that it is gone. Before it compares versions,
// Reconcile may look whether the cache has another UID under this name. Where the cache has
// no ReplicaSet at all, ErrStaleCache comes first, unless the handler has heard of the
// deletion: then either is right.
