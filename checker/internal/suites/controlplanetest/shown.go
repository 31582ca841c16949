package controlplanetest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what histories and messages show.

// showPod is a pod with its phase and its node.
func showPod(p *kit.Pod) string {
	var words []string
	if p.Status.Phase != "" {
		words = append(words, string(p.Status.Phase))
	}
	if p.Status.Ready {
		words = append(words, "ready")
	}
	if p.Spec.NodeName == "" {
		words = append(words, "no node")
	} else {
		words = append(words, "on "+p.Spec.NodeName)
	}
	if p.Spec.Image != "" {
		words = append(words, "image "+p.Spec.Image)
	}
	if p.DeletionTimestamp != nil {
		words = append(words, "being deleted")
	}
	return fmt.Sprintf("%v{%s}", conform.Show(p), strings.Join(words, ", "))
}

// showSet is a ReplicaSet with what it asks for and what it reports.
func showSet(rs *kit.ReplicaSet) string {
	return fmt.Sprintf("%v{image %s: %s}", conform.Show(rs), rs.Spec.Template.Spec.Image, numbers(rs))
}

func numbers(rs *kit.ReplicaSet) string {
	text := fmt.Sprintf("wants %d, has %d, %d available", rs.Spec.Replicas, rs.Status.Replicas, rs.Status.AvailableReplicas)
	if rs.Status.ObservedGeneration != rs.Generation {
		text += ", not observed"
	}
	return text
}

// showDeployment is a deployment with what the user wants and what it reports.
func showDeployment(d *kit.Deployment) string {
	text := fmt.Sprintf("%v{wants %d × image %s", conform.Show(d), d.Spec.Replicas, d.Spec.Template.Spec.Image)
	if d.Spec.Paused {
		text += ", paused"
	}
	return text + fmt.Sprintf("; status %d, %d updated, %d available}", d.Status.Replicas, d.Status.UpdatedReplicas, d.Status.AvailableReplicas)
}

// showNode is a node, its taints, and nothing that each heartbeat changes.
func showNode(n *kit.Node) string {
	words := []string{"not ready"}
	if n.Status.Ready {
		words[0] = "ready"
	}
	for _, taint := range n.Spec.Taints {
		words = append(words, strings.TrimPrefix(taint.Key, "node.kubernetes.io/")+":"+string(taint.Effect))
	}
	return n.Name + "{" + strings.Join(words, ", ") + "}"
}

// showEvent shows events with their counts and times, counted from the beginning of the case.
// These come first: a long message may be cut.
func showEvent(t *conform.T) func(e *kit.CoreEvent) string {
	began := time.Now().Add(-t.Elapsed())
	since := func(at time.Time) string {
		if at.IsZero() {
			return "unset"
		}
		return at.Sub(began).String()
	}
	return func(e *kit.CoreEvent) string {
		if e.Name == "" { // its name is still to be made, and comes behind this
			return fmt.Sprint(conform.Show(e))
		}
		return fmt.Sprintf("%v{×%d, first %s, last %s, %s %q}", conform.Show(e), e.Count, since(e.FirstTimestamp), since(e.LastTimestamp), e.Reason, e.Message)
	}
}

// showResult is what a Reconcile returned.
func showResult(result kit.Result, err error) string {
	text := "Result{}"
	if result.RequeueAfter != 0 {
		text = fmt.Sprintf("Result{RequeueAfter: %v}", result.RequeueAfter)
	}
	return fmt.Sprintf("%s, %v", text, err)
}

// keys are the keys of objects, sorted.
func keys[T kit.Object](objects []T) []string {
	var all []string
	for _, o := range objects {
		all = append(all, kit.Key(o))
	}
	slices.Sort(all)
	return all
}
