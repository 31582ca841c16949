//go:build ignore

// Mistake: An update that the Queue passes with isInInitialList true is counted as an initial call, and
//   only OnAdds are counted down.
// Killed by: the-indexer-may-refuse
// Verdict: wrong-answer

package informer

import "github.com/controllerbook/controllerbook/labs/kit"

func (s *SharedInformer[T]) applyOne(d kit.Delta[T], isInInitialList bool) error {
	if d.Type == kit.DeltaDeleted {
		if err := s.options.Indexer.Delete(d.Object); err != nil {
			return err
		}
		s.distribute(deleted(d.Object, d.FinalStateUnknown), false)
		return nil
	}
	old, exists := s.options.Indexer.Get(d.Object)
	if !exists {
		if err := s.options.Indexer.Add(d.Object); err != nil {
			return err
		}
		s.distribute(added(d.Object, isInInitialList), false)
		return nil
	}
	if err := s.options.Indexer.Update(d.Object); err != nil {
		return err
	}
	// Not d.Type: what a list brings may be news (kubernetes#86015).
	isSync := old.GetResourceVersion() == d.Object.GetResourceVersion()
	n := updated(old, d.Object)
	n.flag = isInInitialList
	s.distribute(n, isSync)
	return nil
}

func (l *listener[T]) add(n notification[T]) {
	l.mu.Lock()
	l.pending = append(l.pending, n)
	if n.flag && n.kind != onDelete {
		l.initial++
	}
	l.mu.Unlock()
	select {
	case l.wake <- struct{}{}:
	default:
	}
}
