package scheduler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// errGone ends an attempt at a pod that is no longer pending.
var errGone = errors.New("scheduler: the pod does not wait for a node any more")

// work makes attempts until ctx is done.
func (s *Scheduler) work(ctx context.Context) {
	a := attempt{Scheduler: s}
	for {
		if a.entry, a.pod = s.take(ctx); a.entry == nil {
			return
		}
		a.run(ctx)
	}
}

// take blocks until there is an active pod. It returns nil once ctx is done.
func (s *Scheduler) take(ctx context.Context) (*entry, *kit.Pod) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ctx.Err() == nil && s.queue.active.Len() == 0 {
		s.active.Wait()
	}
	if ctx.Err() != nil {
		return nil, nil
	}
	e := s.queue.take()
	return e, e.pod
}

// attempt is what a worker works with: one pod at a time, and two buffers that are used
// again for the next.
type attempt struct {
	*Scheduler
	entry    *entry
	pod      *kit.Pod // as it was last seen by the attempt
	nodes    []*NodeInfo
	feasible []*NodeInfo
}

// run gives the pod a node, if there is one for it, and leaves the binding to a
// goroutine of its own: an API server takes milliseconds, and the decision microseconds.
func (a *attempt) run(ctx context.Context) {
	node, err := a.find()
	if err != nil {
		a.refused(err)
		return
	}
	b := binding{a.Scheduler, a.entry, a.pod, node}
	a.binding.Go(func() { b.run(ctx) })
}

// find looks for a node and assumes the pod there. It begins anew whenever somebody else
// was quicker at the node of its choice: then somebody else has got ahead, so workers
// can delay each other but never all of them at once.
func (a *attempt) find() (node string, err error) {
	for {
		if err := a.filter(); err != nil {
			return "", err
		}
		node := a.best()
		done, err := a.assume(node)
		if done || err != nil {
			return node.Node.Name, err
		}
	}
}

// filter collects feasible nodes, and returns an error if there are none.
func (a *attempt) filter() error {
	a.mu.Lock()
	a.nodes = a.cache.snapshot(a.nodes[:0])
	a.mu.Unlock()
	a.feasible = a.feasible[:0]
	enough, looked := NumFeasibleNodesToFind(len(a.nodes)), 0
	refusals := map[string]int{}
	for looked < len(a.nodes) && len(a.feasible) < enough {
		node := a.nodes[looked]
		looked++
		if err := a.refuses(node); err != nil {
			refusals[err.Error()]++
		} else {
			a.feasible = append(a.feasible, node)
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.cache.advance(looked)
	if len(a.feasible) == 0 {
		return fitError(len(a.nodes), refusals)
	}
	return nil
}

// refuses is the reason of the first filter that refuses node.
func (a *attempt) refuses(node *NodeInfo) error {
	for _, filter := range a.options.Filters {
		if err := filter(a.pod, *node); err != nil {
			return err
		}
	}
	return nil
}

// best is the feasible node with the highest sum of scores. It is there: filter has
// found one.
func (a *attempt) best() *NodeInfo {
	if len(a.feasible) == 1 {
		return a.feasible[0]
	}
	best, highest := a.feasible[0], a.sum(a.feasible[0])
	for _, node := range a.feasible[1:] {
		if sum := a.sum(node); sum > highest {
			best, highest = node, sum
		}
	}
	return best
}

func (a *attempt) sum(node *NodeInfo) int64 {
	sum := int64(0)
	for _, score := range a.options.Scores {
		sum += score.Weight * score.Score(a.pod, *node)
	}
	return sum
}

// assume makes the pod count on node. It reports false if node no longer fits. The
// filters are not asked under the lock: they have been asked about this very NodeInfo and
// this very pod, or are asked now about what has taken their place.
func (a *attempt) assume(node *NodeInfo) (done bool, err error) {
	for {
		pod, now := a.tryAssume(node)
		switch {
		case pod == nil:
			return false, errGone
		case now == nil:
			return false, nil
		case pod == a.pod && now == node:
			return true, nil
		}
		a.pod, node = pod, now
		if a.refuses(node) != nil {
			return false, nil
		}
	}
}

// tryAssume returns the pod and the node as they are now. If both are the ones that the
// filters have seen, the pod counts on the node from now on. The pod is nil if it is no
// longer to be scheduled, and the node is nil if it is gone.
func (a *attempt) tryAssume(node *NodeInfo) (pod *kit.Pod, now *NodeInfo) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.entry.gone {
		return nil, nil
	}
	now = a.cache.get(node.Node.Name)
	if a.entry.pod == a.pod && now == node {
		a.cache.assume(a.pod, node.Node.Name)
	}
	return a.entry.pod, now
}

// refused ends an attempt that has come to no node.
func (a *attempt) refused(err error) {
	a.mu.Lock()
	waits := a.queue.refused(a.entry, time.Now())
	a.mu.Unlock()
	if waits {
		a.record(a.pod, kit.EventWarning, "FailedScheduling", "%v", err)
	}
}

func (s *Scheduler) record(pod *kit.Pod, eventType, reason, format string, args ...any) {
	s.options.Recorder.Eventf(kit.ReferenceTo(kit.Pods, pod), eventType, reason, format, args...)
}

// fitError says how many nodes refuse a pod for which reason, the most frequent first.
func fitError(nodes int, refusals map[string]int) error {
	reasons := slices.SortedFunc(maps.Keys(refusals), func(a, b string) int {
		return cmp.Or(cmp.Compare(refusals[b], refusals[a]), cmp.Compare(a, b))
	})
	for i, reason := range reasons {
		reasons[i] = fmt.Sprintf("%d %s", refusals[reason], reason)
	}
	return fmt.Errorf("0/%d nodes are available: %s", nodes, strings.Join(reasons, ", "))
}

// binding is what is left of an attempt when the pod is assumed: to tell the world.
type binding struct {
	*Scheduler
	entry *entry
	pod   *kit.Pod
	node  string
}

// run writes the node into the pod. The version of the pod goes with it, so the API
// server refuses it if anybody has written to the pod since, another scheduler first of
// all.
func (b binding) run(ctx context.Context) {
	bound := b.pod.DeepCopy() // the pod itself belongs to the informer's cache
	bound.Spec.NodeName = b.node
	if _, err := b.options.Pods.Update(ctx, bound); err != nil {
		b.failed(ctx, err)
		return
	}
	b.record(b.pod, kit.EventNormal, "Scheduled", "assigned %s to %s", kit.Key(b.pod), b.node)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.queue.done(b.entry)
}

// failed ends a binding that has failed. The pod counts on the node until we have asked
// what is really so: an answer that was lost on its way looks like a failure too, and
// room that is given back too early is given away twice.
func (b binding) failed(ctx context.Context, cause error) {
	current, err := b.options.Pods.Get(ctx, b.pod.Namespace, b.pod.Name)
	if b.settle(current, err) {
		b.record(b.pod, kit.EventWarning, "FailedScheduling", "binding to %s: %v", b.node, cause)
	}
}

// settle makes the pod count where it is, and reports whether there is to be another
// attempt. If it is no longer assumed, a handler has said where it is meanwhile, and
// it would be wrong to take it away from there, or to bring it back.
func (b binding) settle(current *kit.Pod, err error) (again bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	same := err == nil && current.UID == b.pod.UID
	switch {
	case !b.cache.assumed(b.pod.UID):
	case same && counts(current):
		b.place(current)
	default:
		b.cache.remove(b.pod.UID)
		b.queue.moveAll(time.Now())
	}
	if kit.IsNotFound(err) || err == nil && !(same && pending(current)) {
		b.queue.done(b.entry)
		return false
	}
	if same {
		b.entry.pod = current
	}
	return b.queue.failed(b.entry, time.Now())
}
