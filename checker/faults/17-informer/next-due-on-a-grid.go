//go:build ignore

// Mistake: The next resync is due one period after the last one should have been, not after the check that
//   found it due.
// Killed by: resync-per-handler
// Verdict: wrong-answer

package informer

import "time"

func (l *listener[T]) markSyncing(now time.Time) bool {
	l.syncing = l.resyncPeriod > 0 && !now.Before(l.nextResync)
	if l.syncing {
		l.nextResync = l.nextResync.Add(l.resyncPeriod)
	}
	return l.syncing
}
