//go:build ignore

// Mistake: Without a Recorder the first event ends the process.
// Killed by: creates-what-is-missing
// Verdict: panic

package replicaset

func New(options Options) *ReplicaSetReconciler {
	if options.Burst <= 0 {
		options.Burst = BurstReplicas
	}
	addIndices(options)
	return &ReplicaSetReconciler{options: options, expectations: NewExpectations(), written: newWritten(options)}
}
