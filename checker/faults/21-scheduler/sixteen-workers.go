//go:build ignore

// Mistake: Without a word about workers there are sixteen, as there are for the filters of one pod upstream.
// Killed by: so-many-workers
// Verdict: wrong-answer

package scheduler

import "github.com/controllerbook/controllerbook/labs/kit"

func withDefaults(o Options) Options {
	if o.Filters == nil {
		o.Filters = []Filter{NodeUnschedulable, NodeReady, NodeSelector, TaintToleration, NodeResourcesFit}
	}
	if o.Scores == nil {
		o.Scores = []Score{{1, LeastAllocated}, {3, PreferUntainted}}
	}
	if o.Less == nil {
		o.Less = func(a, b *kit.Pod) bool { return a.CreationTimestamp.Before(b.CreationTimestamp) }
	}
	if o.Recorder == nil {
		o.Recorder = kit.DiscardEvents{}
	}
	if o.Workers <= 0 {
		o.Workers = 16
	}
	return o
}
