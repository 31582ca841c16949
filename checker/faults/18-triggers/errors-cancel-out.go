//go:build ignore

// Mistake: The drift is summed with its sign: two pods too many here make up for two too few there.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

func (w *world) drift() int {
	sum := 0
	for _, s := range w.apps {
		sum += s.Missing()
	}
	return sum
}
