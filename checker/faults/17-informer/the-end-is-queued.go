//go:build ignore

// Mistake: The end of Run is the last notification in each buffer, and Run takes as long as the slowest handler needs for
//   all that is pending before it.
// Killed by: run-joins-everything
// Verdict: wrong-answer

package informer

const onEnd = onDelete + 1

func (s *SharedInformer[T]) stopListeners() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stopped = true
	for _, l := range s.listeners {
		l.add(notification[T]{kind: onEnd})
	}
	s.listeners = nil
}

func (l *listener[T]) work(batch []notification[T]) bool {
	for i := range batch {
		select {
		case <-l.gone:
			return false
		default:
		}
		n := batch[i]
		if n.kind == onEnd {
			return false
		}
		batch[i] = notification[T]{}
		if !l.call(n) && !l.pause() {
			return false
		}
	}
	return true
}
