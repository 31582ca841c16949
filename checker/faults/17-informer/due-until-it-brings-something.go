//go:build ignore

// Mistake: The next period begins when the resync brings an object. One that brings none stays due.
// Killed by: resync-per-handler
// Verdict: wrong-answer

package informer

import "time"

func (l *listener[T]) markSyncing(now time.Time) bool {
	l.syncing = l.resyncPeriod > 0 && !now.Before(l.nextResync)
	return l.syncing
}

func (s *SharedInformer[T]) distribute(n notification[T], isSync bool) {
	for _, l := range s.listeners {
		if !isSync || l.syncing {
			l.add(n)
		}
		if isSync && l.syncing {
			l.nextResync = time.Now().Add(l.resyncPeriod)
		}
	}
}
