//go:build ignore

// Mistake: Keys writes into one buffer, call after call: what an earlier caller holds changes.
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
	w.keys = slices.AppendSeq(w.keys[:0], maps.Keys(w.apps))
	return w.keys
}
