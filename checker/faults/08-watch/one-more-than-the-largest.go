//go:build ignore

// Mistake: The first change above n is looked for as the first from n + 1 on, with a sign: above the largest
//   version there may be, that is below all others.
// Killed by: replays-then-follows
// Verdict: wrong-answer

package watch

import "sort"

func (r *window[T]) after(version uint64) uint64 {
	begin := r.begin()
	return begin + uint64(sort.Search(len(r.ring), func(i int) bool {
		return int64(r.at(begin+uint64(i)).version) >= int64(version)+1
	}))
}
