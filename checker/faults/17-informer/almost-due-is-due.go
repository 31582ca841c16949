//go:build ignore

// Mistake: A ticker may come a little early, so a resync is due a tenth of a second before its time.
// Killed by: resync-period-bounds
// Verdict: wrong-answer

package informer

import "time"

func (l *listener[T]) markSyncing(now time.Time) bool {
	const tolerance = time.Second / 10
	l.syncing = l.resyncPeriod > 0 && !now.Add(tolerance).Before(l.nextResync)
	if l.syncing {
		l.nextResync = now.Add(l.resyncPeriod)
	}
	return l.syncing
}
