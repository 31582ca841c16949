//go:build ignore

// Mistake: What an update leaves in place is noted in the 64 bits of a word, and the 65th value has the bit of the
//   first.
// Killed by: updates-look-at-all-values
// Verdict: wrong-answer

package indexer

import "slices"

func (m move[T]) carryOut(e *entry[T]) {
	var kept uint64
	for _, value := range m.from {
		if i := slices.Index(m.to, value); i >= 0 {
			kept |= 1 << (i % 64)
		} else {
			m.in.remove(value, e)
		}
	}
	for i, value := range m.to {
		if kept&(1<<(i%64)) == 0 {
			m.in.insert(value, e)
		}
	}
}
