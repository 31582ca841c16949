//go:build ignore

// Mistake: Keys collects its slice anew if an app has come, and gives away a copy. If none has come, it gives
//   away the slice that it keeps.
// Killed by: report-adds-up
// Verdict: wrong-answer

package triggers

import (
	"maps"
	"slices"
)

type world struct {
	now     int
	apps    map[string]State
	down    map[int]bool
	changes map[int][]Change
	due     map[int][]Event
	report  Report
	keys    []string
}

func (w *world) Keys() []string {
	w.report.Lists++
	if len(w.keys) != len(w.apps) {
		w.keys = slices.Collect(maps.Keys(w.apps))
		return slices.Clone(w.keys)
	}
	return w.keys
}
