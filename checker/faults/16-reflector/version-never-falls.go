//go:build ignore

// Mistake: A version only rises, so a lower one is an old one and is not published. After the server was restored
//   from a backup, the watch begins at a version that it has not reached.
// Killed by: asks-for-the-newest-when-it-must
// Verdict: wrong-answer

package reflector

import "strconv"

func (r *Reflector[T]) publish(version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, _ := strconv.Atoi(r.version)
	if now, err := strconv.Atoi(version); err == nil && now < before {
		return
	}
	r.version = version
}
