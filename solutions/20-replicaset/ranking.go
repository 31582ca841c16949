package replicaset

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// PodsToDelete chooses the pods that will be missed least. The stub's documentation
// is the contract.
//
// It sorts a copy: the slice may be one that others are reading.
func PodsToDelete(pods, related []*kit.Pod, count int) []*kit.Pod {
	chosen := slices.Clone(pods)
	if count >= len(chosen) {
		return chosen
	}
	slices.SortFunc(chosen, newRanking(related, time.Now()).compare)
	return chosen[:max(count, 0)]
}

// ranking is what two pods are compared by beside themselves. The clock is read once,
// or the order could change under the sort.
type ranking struct {
	now    time.Time
	onNode map[string]int // node → how many active related pods run there
}

func newRanking(related []*kit.Pod, now time.Time) ranking {
	r := ranking{now: now, onNode: map[string]int{}}
	for _, pod := range related {
		if pod.Active() {
			r.onNode[pod.Spec.NodeName]++
		}
	}
	return r
}

// compare is below zero if a goes before b. The rules stand in their order; the first
// that is not zero decides.
func (r ranking) compare(a, b *kit.Pod) int {
	return cmp.Or(
		falseFirst(a.Spec.NodeName != "", b.Spec.NodeName != ""),
		phases[a.Status.Phase]-phases[b.Status.Phase],
		falseFirst(a.Status.Ready, b.Status.Ready),
		cmp.Compare(deletionCost(a), deletionCost(b)),
		r.onNode[b.Spec.NodeName]-r.onNode[a.Spec.NodeName],
		r.readyFor(a, b),
		b.Status.Restart-a.Status.Restart,
		r.newerFirst(a.CreationTimestamp, b.CreationTimestamp, a, b),
	)
}

// phases orders the phases of active pods. A pod without a phase is as good as pending.
var phases = map[kit.PodPhase]int{kit.PodPending: 0, kit.PodUnknown: 1, kit.PodRunning: 2}

func (r ranking) readyFor(a, b *kit.Pod) int {
	if !a.Status.Ready || !b.Status.Ready {
		return 0
	}
	return r.newerFirst(a.Status.ReadySince, b.Status.ReadySince, a, b)
}

// newerFirst compares two times by their magnitude, and where that is the same by UID:
// by chance, as it were, but by the same chance in every controller.
func (r ranking) newerFirst(at, bt time.Time, a, b *kit.Pod) int {
	switch {
	case at.Equal(bt):
		return 0
	case at.IsZero() || bt.IsZero():
		return falseFirst(!at.IsZero(), !bt.IsZero())
	}
	return cmp.Or(magnitude(r.now.Sub(at))-magnitude(r.now.Sub(bt)), strings.Compare(a.UID, b.UID))
}

// magnitude is the number of binary digits of an age, which grows as its logarithm does.
func magnitude(age time.Duration) int { return bits.Len64(uint64(max(age, 0))) }

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

// deletionCost is what the pod's annotation says; what is no number says nothing.
func deletionCost(pod *kit.Pod) int64 {
	cost, err := strconv.ParseInt(pod.Annotations[kit.PodDeletionCost], 10, 32)
	if err != nil {
		return 0 // ParseInt clips a number that is too large, and that would count
	}
	return cost
}
