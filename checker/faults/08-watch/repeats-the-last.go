//go:build ignore

// Mistake: The replay begins at the version asked for, which the caller has seen already.
// Killed by: replays-then-follows
// Verdict: wrong-answer

package watch

import "sort"

func (r *window[T]) after(version uint64) uint64 {
	begin := r.begin()
	return begin + uint64(sort.Search(len(r.ring), func(i int) bool {
		return r.at(begin+uint64(i)).version >= version
	}))
}
