//go:build ignore

// Mistake: Moments are compared as nanoseconds in an int64, which ends in 2262: the longest period is due at once.
// Killed by: resync-period-bounds
// Verdict: wrong-answer

package informer

import "time"

func (l *listener[T]) markSyncing(now time.Time) bool {
	l.syncing = l.resyncPeriod > 0 && now.UnixNano() >= l.nextResync.UnixNano()
	if l.syncing {
		l.nextResync = now.Add(l.resyncPeriod)
	}
	return l.syncing
}
