//go:build ignore

// Mistake: Scale takes the app out of the map and puts it back, before it looks whether the cluster is down.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

func (w *world) Scale(key string, n int) error {
	w.report.Writes++
	w.apps[key] = w.apps[key]
	if w.down[w.now] {
		return ErrDown
	}
	s := w.apps[key]
	s.Running += n
	w.apps[key] = s
	return nil
}
