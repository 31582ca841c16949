//go:build ignore

// Mistake: Versions are kept as numbers, so that they can be compared. One that is no number is not published, and one with
//   zeros in front comes back without them.
// Killed by: events-reach-the-store
// Verdict: wrong-answer

package reflector

import "strconv"

func (r *Reflector[T]) publish(version string) {
	if version != "" {
		n, err := strconv.ParseInt(version, 10, 64)
		if err != nil {
			return
		}
		version = strconv.FormatInt(n, 10)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version = version
}
