//go:build ignore

// Mistake: Poll and Resync of the options are not looked at.
// Killed by: creates-and-comes-back
// Verdict: wrong-answer

package operator

import (
	"time"
)

func New(options Options) *DatabaseReconciler {
	options.Poll, options.Resync = 15*time.Second, 10*time.Minute
	addIndex(options)
	return &DatabaseReconciler{options: options}
}
