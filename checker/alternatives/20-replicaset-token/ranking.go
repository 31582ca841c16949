package replicaset

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// PodsToDelete chooses count of the pods: those whose loss costs least. With a count
// of zero or less it chooses none, with len(pods) or more all of them, in any order. It
// does not modify the slices, nor the pods.
//
// Of two pods, the one goes first that, by the first rule in which they differ,
//
//  1. has no node, where the other has one;
//  2. has the earlier phase: Pending, then Unknown, then Running;
//  3. is not ready, where the other is;
//  4. has the lower deletion cost: the annotation kit.PodDeletionCost, an int32 in decimal;
//     0 where there is none, or no such number;
//  5. shares its node with more active pods of related;
//  6. has been ready for the shorter time, if both are ready;
//  7. has restarted more often;
//  8. was created later.
//
// In 6 and 8 it counts how long ago a time was, by magnitude: the number of nanoseconds
// since then, rounded down to a power of two. Where two times differ and their
// magnitudes do not, the pod with the smaller UID goes first, so that a ReplicaSet does
// not lose the pods of just one day. An unknown (zero) time goes before every other.
//
// If no rule distinguishes two pods, either may go first.
func PodsToDelete(pods, related []*kit.Pod, count int) []*kit.Pod {
	if count <= 0 {
		return nil
	}
	sorted := slices.Clone(pods)
	if count >= len(pods) {
		return sorted
	}
	onNode := map[string]int{}
	for _, p := range related {
		if p.Active() {
			onNode[p.Spec.NodeName]++
		}
	}
	now := time.Now()
	slices.Reverse(sorted)
	slices.SortFunc(sorted, func(a, b *kit.Pod) int {
		sinceReady := 0
		if a.Status.Ready && b.Status.Ready {
			sinceReady = byMagnitude(a, b, a.Status.ReadySince, b.Status.ReadySince, now)
		}
		return cmp.Or(
			falseFirst(a.Spec.NodeName != "", b.Spec.NodeName != ""),
			cmp.Compare(phaseRank(a), phaseRank(b)),
			falseFirst(a.Status.Ready, b.Status.Ready),
			cmp.Compare(deletionCost(a), deletionCost(b)),
			cmp.Compare(onNode[b.Spec.NodeName], onNode[a.Spec.NodeName]),
			sinceReady,
			cmp.Compare(b.Status.Restart, a.Status.Restart),
			byMagnitude(a, b, a.CreationTimestamp, b.CreationTimestamp, now),
		)
	})
	out := sorted[:count:count]
	slices.Reverse(out)
	return out
}

func falseFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

func phaseRank(p *kit.Pod) int {
	switch p.Status.Phase {
	case kit.PodRunning:
		return 2
	case kit.PodUnknown:
		return 1
	default:
		return 0
	}
}

func deletionCost(p *kit.Pod) int64 {
	cost, err := strconv.ParseInt(p.Annotations[kit.PodDeletionCost], 10, 32)
	if err != nil {
		return 0
	}
	return cost
}

// byMagnitude says which of two pods goes first by a time of each: that of the later
// time, or among times of one magnitude that of the smaller UID.
func byMagnitude(a, b *kit.Pod, at, bt time.Time, now time.Time) int {
	switch {
	case at.Equal(bt):
		return 0
	case at.IsZero():
		return -1
	case bt.IsZero():
		return 1
	}
	return cmp.Or(cmp.Compare(magnitude(now.Sub(at)), magnitude(now.Sub(bt))), cmp.Compare(a.UID, b.UID))
}

func magnitude(d time.Duration) int { return bits.Len64(uint64(max(d, 0))) }
