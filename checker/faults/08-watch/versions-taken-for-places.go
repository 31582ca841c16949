//go:build ignore

// Mistake: Versions are taken to be consecutive, so the place of a change is computed from its version: with
//   one counter for all types they are not.
// Killed by: replays-then-follows
// Verdict: wrong-answer

package watch

import "sort"

func (r *window[T]) after(version uint64) uint64 {
	begin := r.begin()
	_ = sort.Search
	return min(begin+version-r.forgotten, r.end)
}
