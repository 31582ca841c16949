//go:build ignore

// Mistake: Only writes that succeed are counted; the API server counts them all.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

func (w *world) Scale(key string, n int) error {
	if w.down[w.now] {
		return ErrDown
	}
	w.report.Writes++
	s := w.apps[key]
	s.Running += n
	w.apps[key] = s
	return nil
}
