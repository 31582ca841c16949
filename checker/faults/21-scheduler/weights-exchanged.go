//go:build ignore

// Mistake: The two default weights are taken for each other's, and a node that would rather not have a pod gets
//   it when the others are half full.
// Killed by: score-spreads
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func withDefaults(o Options) Options {
	if o.Filters == nil {
		o.Filters = []Filter{NodeUnschedulable, NodeReady, NodeSelector, TaintToleration, NodeResourcesFit}
	}
	if o.Scores == nil {
		o.Scores = []Score{{3, LeastAllocated}, {1, PreferUntainted}}
	}
	if o.Less == nil {
		o.Less = func(a, b *kit.Pod) bool { return a.CreationTimestamp.Before(b.CreationTimestamp) }
	}
	if o.Recorder == nil {
		o.Recorder = kit.DiscardEvents{}
	}
	o.Workers = max(o.Workers, 1)
	return o
}
