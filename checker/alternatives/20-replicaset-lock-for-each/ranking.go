package replicaset

import (
	"math"
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
	left := append([]*kit.Pod{}, pods...)
	out := []*kit.Pod{}
	now := time.Now()
	crowd := func(p *kit.Pod) (n int) {
		for _, q := range related {
			if q.Active() && q.Spec.NodeName == p.Spec.NodeName {
				n++
			}
		}
		return n
	}
	crowds := map[*kit.Pod]int{}
	for _, p := range left {
		crowds[p] = crowd(p)
	}
	for len(out) < count && len(left) > 0 {
		best := len(left) - 1
		for i := range left {
			if goesFirst(left[i], left[best], crowds, now) {
				best = i
			}
		}
		out = append(out, left[best])
		left = append(left[:best], left[best+1:]...)
	}
	return out
}

var phases = map[kit.PodPhase]int{kit.PodPending: 1, kit.PodUnknown: 2, kit.PodRunning: 3}

func goesFirst(a, b *kit.Pod, crowds map[*kit.Pod]int, now time.Time) bool {
	if x, y := a.Spec.NodeName == "", b.Spec.NodeName == ""; x != y {
		return x
	}
	if x, y := phases[a.Status.Phase], phases[b.Status.Phase]; x != y {
		return x < y
	}
	if a.Status.Ready != b.Status.Ready {
		return b.Status.Ready
	}
	if x, y := cost(a), cost(b); x != y {
		return x < y
	}
	if x, y := crowds[a], crowds[b]; x != y {
		return x > y
	}
	if a.Status.Ready && b.Status.Ready {
		if first, decided := younger(a.Status.ReadySince, b.Status.ReadySince, a, b, now); decided {
			return first
		}
	}
	if a.Status.Restart != b.Status.Restart {
		return a.Status.Restart > b.Status.Restart
	}
	first, _ := younger(a.CreationTimestamp, b.CreationTimestamp, a, b, now)
	return first
}

func cost(p *kit.Pod) int32 {
	n, err := strconv.ParseInt(p.Annotations[kit.PodDeletionCost], 10, 64)
	if err != nil || n > math.MaxInt32 || n < math.MinInt32 {
		return 0
	}
	return int32(n)
}

func younger(x, y time.Time, a, b *kit.Pod, now time.Time) (first, decided bool) {
	if x.Equal(y) {
		return false, false
	}
	if x.IsZero() || y.IsZero() {
		return x.IsZero(), true
	}
	dx, dy := now.Sub(x), now.Sub(y)
	power := func(d time.Duration) (n int) {
		for ; d > 1; d >>= 1 {
			n++
		}
		return n
	}
	if px, py := power(dx), power(dy); px != py {
		return px < py, true
	}
	return a.UID < b.UID, a.UID != b.UID
}
