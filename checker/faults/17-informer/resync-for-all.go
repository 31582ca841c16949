//go:build ignore

// Mistake: A resync reaches all handlers whenever one of them is due.
// Killed by: resync-per-handler
// Verdict: wrong-answer

package informer

func (s *SharedInformer[T]) distribute(n notification[T], isSync bool) {
	for _, l := range s.listeners {
		if !isSync || l.resyncPeriod > 0 {
			l.add(n)
		}
	}
}
