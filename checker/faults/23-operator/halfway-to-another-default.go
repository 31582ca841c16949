//go:build ignore

// Mistake: Zero is eleven minutes, and halfway from Poll to Resync is soon enough. It is, unless Poll is nearly ten.
// Killed by: creates-and-comes-back
// Verdict: wrong-answer

package operator

import "time"

func New(options Options) *DatabaseReconciler {
	if options.Poll <= 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync <= 0 {
		options.Resync = 11 * time.Minute
	}
	addIndex(options)
	return &DatabaseReconciler{options: options}
}

func (r *DatabaseReconciler) nextLook(o outcome) time.Duration {
	if o.waits {
		return r.options.Poll
	}
	return (r.options.Poll + r.options.Resync) / 2
}
