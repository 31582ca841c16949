//go:build ignore

// Mistake: Poll and Resync are as they were given, also where nothing was.
// Killed by: creates-and-comes-back
// Verdict: wrong-answer

package operator

func New(options Options) *DatabaseReconciler {
	addIndex(options)
	return &DatabaseReconciler{options: options}
}
