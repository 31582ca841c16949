package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

// PodsToDelete chooses count of the pods: those whose loss costs least. It returns them in
// any order. With a count of zero or less it chooses none, with len(pods) or more all of
// them. It does not modify the slices, nor the pods.
//
// Of two pods, the one goes first that, by the first rule in which they differ,
//
//  1. has no node, where the other has one;
//  2. has the earlier phase: Pending, then Unknown, then Running (where any other phase
//     belongs is left open);
//  3. is not ready, where the other is;
//  4. has the lower deletion cost: the annotation kit.PodDeletionCost, an int32 in decimal;
//     0 where there is none, or no such number (whether +5 and 007 are, is left open);
//  5. shares its node with more active pods (Pod.Active) of related;
//  6. has been ready for the shorter time, if both are ready;
//  7. has restarted more often;
//  8. was created later.
//
// Rules 6 and 8 compare how long ago a time was, by magnitude: the number of nanoseconds
// since then, rounded down to a power of two. Where two times are different moments
// (time.Time.Equal) of one magnitude, the pod with the smaller UID goes first and no later
// rule is asked, so that a ReplicaSet does not lose the pods of just one day. An unknown
// (zero) time goes before every other. What a time in the future counts is left open.
//
// If no rule distinguishes two pods, or the UIDs put some in a circle, any of them may go
// first.
func PodsToDelete(pods, related []*kit.Pod, count int) []*kit.Pod {
	panic(kit.TODO("PodsToDelete"))
}
