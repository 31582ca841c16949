package controlplane

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	surge, err = resolve(maxSurge, desired, true)
	if err != nil {
		return 0, 0, fmt.Errorf("maxSurge: %w", err)
	}
	unavailable, err = resolve(maxUnavailable, desired, false)
	if err != nil {
		return 0, 0, fmt.Errorf("maxUnavailable: %w", err)
	}
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable, nil
}

func resolve(value kit.IntOrPercent, desired int, up bool) (int, error) {
	if value == "" {
		value = "25%"
	}
	digits, percent := strings.CutSuffix(string(value), "%")
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is neither a number of pods nor a percentage", string(value))
	}
	if !percent {
		return int(n), nil
	}
	part := int(n) * desired
	if up {
		part += 99
	}
	return part / 100, nil
}

// replicas is what is known of one ReplicaSet, and how far it is to be scaled.
type replicas struct {
	rs   *kit.ReplicaSet
	spec int // what it is asked for, or is to be asked for
}

func observed(rs *kit.ReplicaSet) bool { return rs.Status.ObservedGeneration == rs.Generation }

func settled(rs *kit.ReplicaSet) bool {
	return observed(rs) && rs.Status.Replicas == rs.Spec.Replicas
}

// counted is how many pods there may be of it.
func (r *replicas) counted() int { return max(r.spec, r.rs.Spec.Replicas, r.rs.Status.Replicas) }

// available is how many pods there are at least that are available.
func (r *replicas) available() int { return min(r.spec, r.rs.Status.AvailableReplicas) }

func oldestFirst(a, b *kit.ReplicaSet) int {
	return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp), cmp.Compare(a.Name, b.Name))
}

// room is how many pods may be added to sets.
func room(sets []*replicas, most int) int {
	for _, r := range sets {
		most -= r.counted()
	}
	return max(most, 0)
}

// roll takes one step of a rollout: it sets spec where it is to be changed. All sets are
// observed. The new one may be missing.
func roll(newSet *replicas, olds []*replicas, desired, surge, unavailable int) {
	all := olds
	if newSet != nil {
		all = append(slices.Clone(olds), newSet)
		was := newSet.spec
		if settled(newSet.rs) {
			if was > desired {
				newSet.spec = desired
			} else {
				newSet.spec = min(desired, was+room(all, desired+surge))
			}
		}
		if newSet.spec != was {
			return
		}
	}
	must := max(desired-unavailable, 0)

	// What is of no use goes first.
	spare := -must
	for _, r := range all {
		spare += r.spec
	}
	if newSet != nil {
		spare -= newSet.spec - newSet.available()
	}
	for _, r := range olds {
		if settled(r.rs) {
			n := max(min(r.spec-r.available(), spare), 0)
			r.spec -= n
			spare -= n
		}
	}

	spare = -must
	for _, r := range all {
		spare += r.available()
	}
	for _, r := range olds {
		if settled(r.rs) {
			n := max(min(r.spec, spare), 0)
			r.spec -= n
			spare -= n
		}
	}
}

// scalePaused scales the only set that has pods, or the newest where none has.
func scalePaused(sets []*replicas, desired, surge int) {
	var one *replicas
	for _, r := range sets {
		if r.spec == 0 {
			continue
		}
		if one != nil {
			return
		}
		one = r
	}
	if one == nil {
		for _, r := range sets {
			if one == nil || revision(r.rs) > revision(one.rs) {
				one = r
			}
		}
	}
	if one == nil || !settled(one.rs) {
		return
	}
	if one.spec > desired {
		one.spec = desired
	} else {
		one.spec = min(desired, one.spec+room(sets, desired+surge))
	}
}
