//go:build ignore

// Mistake: A deletion whose final state is unknown is not to be relied on, so it is left out.
// Killed by: for-names-the-object
// Verdict: wrong-answer

package reconciler

func (m mapped[T]) OnDelete(obj T, unknown bool) {
	if !unknown {
		m.add(false, obj)
	}
}
