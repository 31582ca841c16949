//go:build ignore

// Mistake: After the close the batch waits for further updates that cannot come.
// Killed by: close-flushes
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) due() bool {
	if !r.pending || r.pushing {
		return false
	}
	return !time.Now().Before(r.deadline())
}
