package controlplane

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ResolveFenceposts says how many pods a rollout of desired replicas may have too many
// (surge) and how many it may lack (unavailable).
func ResolveFenceposts(maxSurge, maxUnavailable kit.IntOrPercent, desired int) (surge, unavailable int, err error) {
	if surge, err = resolve(maxSurge, desired, 99); err != nil {
		return 0, 0, fmt.Errorf("maxSurge: %w", err)
	}
	if unavailable, err = resolve(maxUnavailable, desired, 0); err != nil {
		return 0, 0, fmt.Errorf("maxUnavailable: %w", err)
	}
	if surge == 0 && unavailable == 0 {
		unavailable = 1
	}
	return surge, unavailable, nil
}

// resolve is a number of pods; round is what is added to hundredths before they are cut off.
func resolve(value kit.IntOrPercent, desired, round int) (int, error) {
	if value == "" {
		value = "25%"
	}
	digits, percent := strings.CutSuffix(string(value), "%")
	n, err := strconv.ParseUint(digits, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is neither a number of pods nor a percentage", string(value))
	}
	if percent {
		return (int(n)*desired + round) / 100, nil
	}
	return int(n), nil
}

// set is a ReplicaSet and what is wanted of it.
type set struct {
	*kit.ReplicaSet
	replicas int // spec.replicas as they should be
}

// pods is the most that s can have.
func (s *set) pods() int { return max(s.replicas, s.Spec.Replicas, s.Status.Replicas) }

// available is the least that s will have available, whichever pods are deleted: those
// that are not go first.
func (s *set) available() int { return min(s.replicas, s.Status.AvailableReplicas) }

func observed(rs *kit.ReplicaSet) bool { return rs.Status.ObservedGeneration == rs.Generation }

func settled(rs *kit.ReplicaSet) bool {
	return observed(rs) && rs.Status.Replicas == rs.Spec.Replicas
}

// plan is one step of a rollout: pure arithmetic on what is known.
type plan struct {
	desired, surge, unavailable int
	paused                      bool
	limit                       int // of old ReplicaSets kept

	sets     []*set // all, the oldest first
	new      *set   // one of sets, or nil
	revision int64  // of the new one
	create   bool   // there is none and it is time for it
	created  int    // with so many replicas
}

func newPlan(d *kit.Deployment, own []*kit.ReplicaSet) (*plan, error) {
	surge, unavailable, err := ResolveFenceposts(d.Spec.MaxSurge, d.Spec.MaxUnavailable, d.Spec.Replicas)
	if err != nil {
		return nil, err
	}
	p := &plan{desired: d.Spec.Replicas, surge: surge, unavailable: unavailable, paused: d.Spec.Paused, limit: 10}
	if d.Spec.RevisionHistoryLimit != nil {
		p.limit = *d.Spec.RevisionHistoryLimit
	}
	own = slices.Clone(own)
	slices.SortFunc(own, func(a, b *kit.ReplicaSet) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp), cmp.Compare(a.Name, b.Name))
	})
	hash := TemplateHash(d.Spec.Template)
	for _, rs := range own {
		s := &set{rs, rs.Spec.Replicas}
		p.sets = append(p.sets, s)
		if rs.Labels[kit.PodTemplateHash] == hash {
			p.new = s
		}
	}
	p.revision = p.nextRevision()
	return p, nil
}

// nextRevision is the revision of the new ReplicaSet: its own, if it is the highest.
func (p *plan) nextRevision() int64 {
	highest := int64(0)
	for _, s := range p.old() {
		highest = max(highest, revisionOf(s))
	}
	if p.new != nil {
		if own := revisionOf(p.new); own > highest {
			return own
		}
	}
	return highest + 1
}

func revisionOf(obj kit.Object) int64 {
	n, _ := strconv.ParseInt(obj.GetAnnotations()[kit.RevisionAnnotation], 10, 64)
	return n
}

// old are the ReplicaSets of other templates, the oldest first.
func (p *plan) old() []*set {
	return slices.DeleteFunc(slices.Clone(p.sets), func(s *set) bool { return s == p.new })
}

// step decides what is done now.
func (p *plan) step() {
	if slices.ContainsFunc(p.sets, func(s *set) bool { return !observed(s.ReplicaSet) }) {
		return
	}
	if p.paused {
		p.scaleOnly()
		return
	}
	if p.new == nil {
		p.create, p.created = true, min(p.room(), p.desired)
		return
	}
	p.scaleNew()
	p.dropUnavailable()
	p.dropAvailable()
}

// scaleTo wants s to have n replicas, if it is at rest.
func scaleTo(s *set, n int) {
	if settled(s.ReplicaSet) {
		s.replicas = n
	}
}

// scaleOnly is for a paused deployment: without a rollout under way it still scales.
func (p *plan) scaleOnly() {
	active := slices.DeleteFunc(slices.Clone(p.sets), func(s *set) bool { return s.replicas == 0 })
	if len(active) == 0 && len(p.sets) > 0 {
		active = []*set{slices.MaxFunc(p.sets, func(a, b *set) int { return cmp.Compare(revisionOf(a), revisionOf(b)) })}
	}
	if len(active) == 1 {
		scaleTo(active[0], p.desired)
	}
}

// room is how many pods may be added.
func (p *plan) room() int {
	room := p.desired + p.surge
	for _, s := range p.sets {
		room -= s.pods()
	}
	return max(room, 0)
}

// scaleNew takes the new ReplicaSet as far towards all pods as there is room.
func (p *plan) scaleNew() {
	if p.new.replicas > p.desired {
		scaleTo(p.new, p.desired)
		return
	}
	scaleTo(p.new, p.new.replicas+min(p.room(), p.desired-p.new.replicas))
}

// dropUnavailable takes pods from old ReplicaSets that are of no use to anybody. If it
// did not, a rollout from one broken template to the next would wait for ever for the
// first to become available (kubernetes#16737).
func (p *plan) dropUnavailable() {
	spare := p.unavailable - p.desired - (p.new.replicas - p.new.available())
	for _, s := range p.sets {
		spare += s.replicas
	}
	for _, s := range p.old() {
		if drop := min(spare, s.replicas-s.available()); drop > 0 && settled(s.ReplicaSet) {
			s.replicas -= drop
			spare -= drop
		}
	}
}

// dropAvailable takes available pods from old ReplicaSets, as many as can be spared.
func (p *plan) dropAvailable() {
	spare := p.unavailable - p.desired
	for _, s := range p.sets {
		spare += s.available()
	}
	for _, s := range p.old() {
		if drop := min(spare, s.replicas); drop > 0 && settled(s.ReplicaSet) {
			s.replicas -= drop
			spare -= drop
		}
	}
}

// outdated are old ReplicaSets that are kept no longer.
func (p *plan) outdated() []*set {
	if p.new == nil || p.new.Status.AvailableReplicas < p.desired || p.new.replicas != p.desired {
		return nil
	}
	old := p.old()
	if slices.ContainsFunc(old, func(s *set) bool { return s.pods() > 0 || !settled(s.ReplicaSet) }) {
		return nil
	}
	slices.SortStableFunc(old, func(a, b *set) int { return cmp.Compare(revisionOf(a), revisionOf(b)) })
	return old[:max(0, len(old)-p.limit)]
}

// status sums up what the cache says.
func (p *plan) status(generation int64) kit.DeploymentStatus {
	status := kit.DeploymentStatus{ObservedGeneration: generation}
	for _, s := range p.sets {
		status.Replicas += s.Status.Replicas
		status.ReadyReplicas += s.Status.ReadyReplicas
		status.AvailableReplicas += s.Status.AvailableReplicas
	}
	if p.new != nil {
		status.UpdatedReplicas = p.new.Status.Replicas
	}
	status.UnavailableReplicas = max(0, status.Replicas-status.AvailableReplicas)
	return status
}
