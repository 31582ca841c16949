//go:build ignore

// Mistake: IsStopped only reads a flag, so it is thought to need no lock.
// Killed by: stop-in-a-storm
// Verdict: data-race

package informer

func (s *SharedInformer[T]) IsStopped() bool {
	return s.stopped
}
