//go:build ignore

// Mistake: A hash that is there already stays, though it is that of another template.
// Killed by: one-replicaset-for-each-template
// Verdict: wrong-answer

package controlplane

import (
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func with(labels map[string]string, key, value string) map[string]string {
	more := make(map[string]string, len(labels)+1)
	maps.Copy(more, labels)
	if _, there := more[key]; !there || key != kit.PodTemplateHash {
		more[key] = value
	}
	return more
}
