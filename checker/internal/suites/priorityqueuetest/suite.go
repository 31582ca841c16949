// Package priorityqueuetest is the conformance suite of lab 13.
//
// It asks only what controller-runtime's own priority queue holds, and accepts
// what that leaves open: a second ShutDown, the backlog at ShutDown, a drain, the
// order of keys that become ready at one instant, and the place of a waiting key
// that a plain Add makes ready. That queue does its work in goroutines of its own,
// so the suite lets them come to rest before it looks.
//
// What it can miss: a queue that is slow, that wakes more getters than it has keys
// for, that polls for keys to become ready, as long as it does not spin, or whose count
// of keys begins again after some ten thousand of them.
// Metrics (controller-runtime#3066 was found in one) are not part of the lab; Len
// stands in for them.
package priorityqueuetest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Subject is lab 13 as the suite sees it.
type Subject struct {
	New func(limiter kit.RateLimiter[string]) kit.PriorityQueue[string]
	// NewAny makes a queue whose keys may be of any type, each of another one.
	NewAny func(limiter kit.RateLimiter[any]) kit.PriorityQueue[any]
}

// Lab describes lab 13 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "13-priority-queue",
		Title:   "Priority queue",
		Builds:  "a work queue that puts live events before the resync and knows every key once",
		Files:   []string{"queue.go", "line.go"},
		Imports: []string{"time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims. They are exported for the module that puts the real
// Kubernetes libraries to them.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
