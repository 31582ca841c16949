//go:build ignore

// Mistake: The handler is called by the goroutine that pops, under the lock: then it can call nothing of the
//   informer (kubernetes#26980 held a lock that way).
// Killed by: handler-calls-the-informer
// Verdict: deadlock

package informer

func (s *SharedInformer[T]) distribute(n notification[T], isSync bool) {
	for _, l := range s.listeners {
		if !isSync || l.syncing {
			l.call(n)
		}
	}
}
