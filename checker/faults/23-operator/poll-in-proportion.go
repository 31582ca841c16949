//go:build ignore

// Mistake: The default of Resync is as many times Poll as it usually is.
// Killed by: creates-and-comes-back
// Verdict: wrong-answer

package operator

import "time"

func New(options Options) *DatabaseReconciler {
	if options.Poll <= 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync <= 0 {
		options.Resync = 40 * options.Poll
	}
	addIndex(options)
	return &DatabaseReconciler{options: options}
}
