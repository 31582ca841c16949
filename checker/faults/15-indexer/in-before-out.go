//go:build ignore

// Mistake: The object is put under its new values first and then taken out of the old ones, and with them out
//   of those that stay.
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

func (m move[T]) carryOut(e *entry[T]) {
	for _, value := range m.to {
		m.in.insert(value, e)
	}
	for _, value := range m.from {
		m.in.remove(value, e)
	}
}
