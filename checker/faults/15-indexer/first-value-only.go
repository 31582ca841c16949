//go:build ignore

// Mistake: An IndexFunc is taken to return one value.
// Killed by: finds-by-index
// Verdict: wrong-answer

package indexer

func (m move[T]) carryOut(e *entry[T]) {
	for _, value := range m.from {
		m.in.remove(value, e)
	}
	for _, value := range m.to[:min(1, len(m.to))] {
		m.in.insert(value, e)
	}
}
