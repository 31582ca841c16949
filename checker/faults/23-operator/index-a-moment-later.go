//go:build ignore

// Mistake: To add an index to a full cache takes a while, and New need not wait for that.
// Killed by: secrets-wake-their-databases
// Verdict: wrong-answer

package operator

import "time"

func New(options Options) *DatabaseReconciler {
	if options.Poll <= 0 {
		options.Poll = 15 * time.Second
	}
	if options.Resync <= 0 {
		options.Resync = 10 * time.Minute
	}
	go addIndex(options)
	return &DatabaseReconciler{options: options}
}
