package schedulertest

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what histories and messages show.

// amounts are resources in words.
func amounts(r kit.Resources) string {
	return fmt.Sprintf("CPU %d, memory %d, %d pods", r.CPU, r.Memory, r.Pods)
}

// showNode is a node as it stands in histories, with what filters look at.
func showNode(n *kit.Node) string {
	s := fmt.Sprintf("%s@%s{CPU %d, memory %d, pods %d", n.Name, n.ResourceVersion, n.Status.Allocatable.CPU, n.Status.Allocatable.Memory, n.Status.Allocatable.Pods)
	if n.Spec.Unschedulable {
		s += ", cordoned"
	}
	if !n.Status.Ready {
		s += ", not ready"
	}
	for _, taint := range n.Spec.Taints {
		s += ", taint " + taint.Key + ":" + string(taint.Effect)
	}
	return s + "}"
}

// show is a pod as it stands in histories.
func show(p *kit.Pod) string {
	s := p.Name + "@" + p.ResourceVersion
	if p.Spec.NodeName != "" {
		s += " on " + p.Spec.NodeName
	}
	if p.Status.Phase == kit.PodSucceeded || p.Status.Phase == kit.PodFailed {
		s += " " + string(p.Status.Phase)
	}
	if p.DeletionTimestamp != nil {
		s += " being deleted"
	}
	return s
}

// queues is where pending pods stand, in words.
func queues(p Pending) string {
	var words []string
	for _, q := range []struct {
		pods int
		name string
	}{{p.Active, "active"}, {p.Backoff, "in backoff"}, {p.Unschedulable, "unschedulable"}, {p.InFlight, "in flight"}} {
		if q.pods != 0 {
			words = append(words, fmt.Sprintf("%d %s", q.pods, q.name))
		}
	}
	if len(words) == 0 {
		return "none"
	}
	return strings.Join(words, ", ")
}

// where is a node in words.
func where(node string) string {
	if node == "" {
		return "no node"
	}
	return "node " + node
}

// listed are texts in words.
func listed(texts []string) string {
	if len(texts) == 0 {
		return "none"
	}
	return strings.Join(texts, ", ")
}

// times is how often, in words.
func times(n int) string {
	switch n {
	case 0:
		return "never"
	case 1:
		return "once"
	}
	return strconv.Itoa(n) + " times"
}
