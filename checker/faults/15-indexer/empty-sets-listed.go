//go:build ignore

// Mistake: A set whose last object has left it stays in the index (kubernetes#84959).
// Killed by: values-without-objects-vanish
// Verdict: wrong-answer

package indexer

func (in *index[T]) remove(value string, e *entry[T]) {
	s := in.sets[value]
	delete(s, e)
}
