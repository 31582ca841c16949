//go:build ignore

// Mistake: An update asks all IndexFuncs at once, each in a goroutine of its own. Where two fail, both write the
//   one error.
// Killed by: failing-index-func-changes-nothing
// Verdict: data-race

package indexer

import "sync"

func (x *Indexer[T]) moves(room []move[T], e *entry[T], obj T) ([]move[T], error) {
	var asked sync.WaitGroup
	var failed error
	all := make([]move[T], len(x.indices))
	i := 0
	for _, in := range x.indices {
		m := &all[i]
		i++
		asked.Go(func() {
			var err error
			m.in = in
			if m.to, err = in.of(obj); err != nil {
				failed = err
				return
			}
			if e != nil {
				m.from, _ = in.of(e.obj)
			}
		})
	}
	asked.Wait()
	if failed != nil {
		return nil, failed
	}
	return append(room, all...), nil
}
