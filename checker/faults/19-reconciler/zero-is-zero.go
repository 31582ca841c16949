//go:build ignore

// Mistake: People who want one worker set the option to one.
// Killed by: as-many-at-once-as-allowed
// Verdict: wrong-answer

package reconciler

func New(options Options) *Controller {
	options.MaxConcurrentReconciles = max(options.MaxConcurrentReconciles, 0)
	if options.CacheSyncTimeout == 0 {
		options.CacheSyncTimeout = defaultSyncTimeout
	}
	return &Controller{options: options, queue: withPriorities(options.Queue)}
}
