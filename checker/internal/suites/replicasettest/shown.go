package replicasettest

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what the history shows of a world.

// showPod is a pod with its owner, and with what it has that not every pod has.
func showPod(p *kit.Pod) string {
	key := fmt.Sprint(conform.Show(p))
	if p.Name == "" {
		return key // a creation, of which the name is not known yet
	}
	words := unusual(p)
	if owner := p.ControllerOf(); owner != nil {
		words = append([]string{fmt.Sprintf("of %s/%s", owner.Name, owner.UID)}, words...)
	}
	return key + "{" + strings.Join(words, ", ") + "}"
}

// briefPod is a pod as lists have it.
func briefPod(p *kit.Pod) string {
	if words := unusual(p); len(words) > 0 {
		return p.Name + "{" + strings.Join(words, ", ") + "}"
	}
	return p.Name
}

// unusual is what a pod has that not every pod has.
func unusual(p *kit.Pod) []string {
	var words []string
	owner := p.ControllerOf()
	if owner == nil {
		words = append(words, "no owner")
	}
	if owner == nil || p.Labels["app"] != owner.Name {
		words = append(words, "app="+p.Labels["app"])
	}
	if p.Status.Phase == kit.PodFailed || p.Status.Phase == kit.PodSucceeded {
		words = append(words, string(p.Status.Phase))
	}
	if p.DeletionTimestamp != nil {
		words = append(words, "being deleted")
	}
	return words
}

// showSet is a ReplicaSet with what it asks for and what it reports.
func showSet(rs *kit.ReplicaSet) string {
	text := fmt.Sprintf("%v{%s, replicas %d", conform.Show(rs), rs.UID, rs.Spec.Replicas)
	if s := rs.Status; s != (kit.ReplicaSetStatus{}) {
		text += fmt.Sprintf("; status %d, %d ready, %d available", s.Replicas, s.ReadyReplicas, s.AvailableReplicas)
		if s.ObservedGeneration != rs.Generation {
			text += fmt.Sprintf(", generation %d of %d", s.ObservedGeneration, rs.Generation)
		}
	}
	if rs.DeletionTimestamp != nil {
		text += ", being deleted"
	}
	return text + "}"
}

func names(pods []*kit.Pod) []string {
	all := []string{}
	for _, p := range pods {
		all = append(all, p.Name)
	}
	return all
}

// refs are owner references in words.
func refs(all []kit.OwnerReference) string {
	var texts []string
	for _, o := range all {
		text := fmt.Sprintf("%s %s/%s/%s", o.APIVersion, o.Kind, o.Name, o.UID)
		if o.Controller {
			text += " (the controller)"
		}
		texts = append(texts, text)
	}
	return conform.Listed(texts)
}
