//go:build ignore

// Mistake: A Burst beyond 500 is taken for 500.
// Killed by: burst-caps
// Verdict: wrong-answer

package replicaset

import "github.com/controllerbook/controllerbook/labs/kit"

func New(options Options) *ReplicaSetReconciler {
	if options.Burst <= 0 || options.Burst > BurstReplicas {
		options.Burst = BurstReplicas
	}
	if options.Recorder == nil {
		options.Recorder = kit.DiscardEvents{}
	}
	addIndices(options)
	return &ReplicaSetReconciler{options: options, expectations: NewExpectations(), written: newWritten(options)}
}
