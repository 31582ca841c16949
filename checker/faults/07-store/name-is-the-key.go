//go:build ignore

// Mistake: The map is keyed by name alone: the second namespace cannot have a pod of the same name.
// Killed by: names-are-per-namespace
// Verdict: wrong-answer

package store

import "github.com/controllerbook/controllerbook/labs/kit"

func keyOf(obj kit.Object) key { return key{"", obj.GetName()} }
