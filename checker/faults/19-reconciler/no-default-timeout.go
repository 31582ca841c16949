//go:build ignore

// Mistake: A CacheSyncTimeout of 0 is taken as it stands: no time at all.
// Killed by: sync-timeout
// Verdict: wrong-answer

package reconciler

func New(options Options) *Controller {
	options.MaxConcurrentReconciles = max(options.MaxConcurrentReconciles, 1)
	if options.CacheSyncTimeout < 0 {
		options.CacheSyncTimeout = defaultSyncTimeout
	}
	return &Controller{options: options, queue: withPriorities(options.Queue)}
}
