package controlplane

import (
	"errors"
	"slices"
	"sort"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// How far to scale which ReplicaSet is arithmetic: it needs no client and no cache, and is
// best kept away from both. It may go here. Beside ResolveFenceposts nothing in this file
// is prescribed.

// ResolveFenceposts returns how many pods a rollout of desired replicas may have too many
// (surge) and how many it may lack (unavailable). Each is a number, "3", or a percentage of
// desired, "25%"; "" is "25%". For percentages, surge is rounded up and unavailable down.
// If both come to 0, no rollout could ever take a step, so unavailable is 1
// (pkg/controller/deployment/util ResolveFenceposts).
//
// A number is one or more of the digits 0 to 9, without a sign. Anything but that, or that
// followed by %, is an error. What becomes of a number above a million is left open.
func ResolveFenceposts(maxSurge, maxUnavailable kit.IntOrPercent, desired int) (surge, unavailable int, err error) {
	parse := func(v kit.IntOrPercent) (n int, percent bool, err error) {
		if v == "" {
			return 25, true, nil
		}
		s := string(v)
		if s[len(s)-1] == '%' {
			s, percent = s[:len(s)-1], true
		}
		if s == "" || len(s) > 9 {
			return 0, false, errNonsense
		}
		for _, digit := range []byte(s) {
			if digit < '0' || digit > '9' {
				return 0, false, errNonsense
			}
			n = n*10 + int(digit-'0')
		}
		return n, percent, nil
	}
	surge, part, err := parse(maxSurge)
	if err != nil {
		return 0, 0, err
	}
	if part {
		whole, rest := surge*desired/100, surge*desired%100
		surge = whole
		if rest > 0 {
			surge++
		}
	}
	unavailable, part, err = parse(maxUnavailable)
	if err != nil {
		return 0, 0, err
	}
	if part {
		unavailable = unavailable * desired / 100
	}
	if surge+unavailable == 0 {
		return 0, 1, nil
	}
	return surge, unavailable, nil
}

var errNonsense = errors.New("a fencepost that is neither a number nor a percentage")

// step is one change of spec.replicas.
type step struct {
	rs *kit.ReplicaSet
	to int
}

func isObserved(rs *kit.ReplicaSet) bool { return rs.Generation == rs.Status.ObservedGeneration }
func isSettled(rs *kit.ReplicaSet) bool {
	return isObserved(rs) && rs.Status.Replicas == rs.Spec.Replicas
}
func atMost(rs *kit.ReplicaSet) int  { return max(rs.Spec.Replicas, rs.Status.Replicas) }
func atLeast(rs *kit.ReplicaSet) int { return min(rs.Spec.Replicas, rs.Status.AvailableReplicas) }

func sum(sets []*kit.ReplicaSet, of func(*kit.ReplicaSet) int) (total int) {
	for _, rs := range sets {
		total += of(rs)
	}
	return total
}

func specOf(rs *kit.ReplicaSet) int { return rs.Spec.Replicas }

// nextStep is the one thing to do next, if there is any. All sets are observed and current
// may be nil.
func nextStep(current *kit.ReplicaSet, old []*kit.ReplicaSet, desired, surge, unavailable int) (step, bool) {
	all := slices.Clone(old)
	if current != nil {
		all = append(all, current)
		n := current.Spec.Replicas
		switch {
		case !isSettled(current):
		case n > desired:
			return step{current, desired}, true
		case n < desired:
			if more := min(desired-n, desired+surge-sum(all, atMost)); more > 0 {
				return step{current, n + more}, true
			}
		}
	}
	old = slices.Clone(old)
	sort.Slice(old, func(i, j int) bool {
		a, b := old[i], old[j]
		if !a.CreationTimestamp.Equal(b.CreationTimestamp) {
			return a.CreationTimestamp.Before(b.CreationTimestamp)
		}
		return a.Name < b.Name
	})
	must := max(0, desired-unavailable)
	lacking := 0
	if current != nil {
		lacking = current.Spec.Replicas - atLeast(current)
	}
	useless := sum(all, specOf) - must - lacking
	for _, rs := range old {
		if n := min(rs.Spec.Replicas-atLeast(rs), useless); isSettled(rs) && n > 0 {
			return step{rs, rs.Spec.Replicas - n}, true
		}
	}
	spare := sum(all, atLeast) - must
	for _, rs := range old {
		if n := min(rs.Spec.Replicas, spare); isSettled(rs) && n > 0 {
			return step{rs, rs.Spec.Replicas - n}, true
		}
	}
	return step{}, false
}

// pausedStep is what is to be done for a paused deployment.
func pausedStep(all []*kit.ReplicaSet, desired, surge int) (step, bool) {
	var with []*kit.ReplicaSet
	for _, rs := range all {
		if rs.Spec.Replicas > 0 {
			with = append(with, rs)
		}
	}
	if len(all) == 0 || len(with) > 1 {
		return step{}, false
	}
	var one *kit.ReplicaSet
	if len(with) == 1 {
		one = with[0]
	} else {
		one = slices.MaxFunc(all, func(a, b *kit.ReplicaSet) int { return int(number(a) - number(b)) })
	}
	to := min(desired, one.Spec.Replicas+max(0, desired+surge-sum(all, atMost)))
	if one.Spec.Replicas > desired {
		to = desired
	}
	return step{one, to}, isSettled(one) && to != one.Spec.Replicas
}
