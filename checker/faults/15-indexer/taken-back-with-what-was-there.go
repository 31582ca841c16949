//go:build ignore

// Mistake: An update writes one index after the other. When a later IndexFunc fails, it takes back what it wrote:
//   out of the new values, also out of those that the stored object had.
// Killed by: failing-index-func-changes-nothing
// Verdict: wrong-answer

package indexer

import "github.com/controllerbook/controllerbook/labs/kit"

func (x *Indexer[T]) Update(obj T) error {
	key := kit.Key(obj)
	x.mu.Lock()
	defer x.mu.Unlock()
	e, exists := x.items[key]
	if !exists {
		e = &entry[T]{key: key}
	}
	var done []move[T]
	for _, in := range x.indices {
		to, err := in.of(obj)
		if err != nil {
			takeBack(done, e)
			return err
		}
		m := move[T]{in: in, to: to}
		if exists {
			if m.from, err = in.of(e.obj); err != nil {
				return err
			}
		}
		m.carryOut(e)
		done = append(done, m)
	}
	e.obj = obj
	x.items[key] = e
	return nil
}

func takeBack[T kit.Object](done []move[T], e *entry[T]) {
	for _, m := range done {
		for _, value := range m.from {
			m.in.insert(value, e)
		}
		for _, value := range m.to {
			m.in.remove(value, e)
		}
	}
}
