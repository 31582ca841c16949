//go:build ignore

// Mistake: Max is thought to matter only once a batch has been prolonged; nobody would set Quiet longer than
//   Max.
// Killed by: debounce-model
// Verdict: wrong-answer

package debounce

import "time"

func (r *run[U]) deadline() time.Time {
	at := r.last.Add(max(r.Quiet, 0))
	if latest := r.first.Add(r.Max); r.Max > 0 && latest.Before(at) && r.last.After(r.first) {
		return latest
	}
	return at
}
