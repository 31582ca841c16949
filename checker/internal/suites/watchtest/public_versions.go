package watchtest

import (
	"math"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/listwatch"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// precise is up to where a float64 holds every whole number. It does not hold the next one.
const precise = 1 << 53

// eachChange commits changes that each leave nearly all of the object as it was.
func eachChange(t *conform.T, subject Subject) {
	s := start(t, subject, 64)
	first := s.put(t.Actor, "a", "x")
	w := s.watch(t, from(first))
	for _, c := range []struct {
		of    string
		write func(*kit.Pod)
	}{
		{"version alone", func(*kit.Pod) {}},
		{"version and finalizers", func(p *kit.Pod) { p.Finalizers = nil }},
		{"version and labels", func(p *kit.Pod) { p.Labels = map[string]string{"app": "db"} }},
		{"version and annotations", func(p *kit.Pod) { p.Annotations = map[string]string{"by": "hand"} }},
		{"version and status", func(p *kit.Pod) { p.Status.Ready = true }},
		{"version and deletionTimestamp", func(p *kit.Pod) { p.DeletionTimestamp = new(time.Time) }},
	} {
		before := s.version
		s.change(t.Actor, "a", "x", c.write)
		due := s.log[len(s.log)-1].String()
		events, _ := w.Ready(t)
		t.Require(len(events) > 0, "%s was committed and did not come. Its object differs from the one before in its %s: a watch brings every change, however little is new.", due, c.of)
		listwatch.Same(t, s.after(before, ""), listwatch.Texts(events), "A change of the %s was committed, and the watch did not bring it and nothing else.", c.of)
	}
	w.Stop()
	w = s.watch(t, from(first))
	w.Expect(t, s.after(first, ""), "A watch did not replay every change: some of them are new in little but their version.")
	w.Stop()
}

// largeVersions has versions that a float64 does not hold, and the largest there may be.
func largeVersions(t *conform.T, subject Subject) {
	s := start(t, subject, 8)
	versions := []uint64{precise, precise + 1, precise + 2, math.MaxInt64 - 1, math.MaxInt64}
	for _, version := range versions {
		s.putAt(t.Actor, version, "a", "x")
	}
	for _, version := range versions {
		hint := "A float64 does not hold every number above 2^53."
		if version == s.version {
			hint = "One more than that is no int64."
		}
		w := s.watch(t, from(version))
		w.Expect(t, s.after(version, ""), "The store is at %d, the largest version there may be, and a watch from %d did not bring exactly the changes above that. %s", s.version, version, hint)
		w.Stop()
	}
}

// keptWithGaps begins watches from versions between the newest change that may be forgotten and the oldest one that
// is kept for certain.
func keptWithGaps(t *conform.T, subject Subject) {
	const window, stride = 4, 10
	s := start(t, subject, window)
	s.stride = stride
	for range 3 * window {
		s.put(t.Actor, "a", "x")
		if len(s.log) <= window {
			continue
		}
		lost := s.log[len(s.log)-1-window].version
		for _, version := range []uint64{lost, lost + 1, lost + stride - 1} {
			w, err := s.try(t.Context(), t.Actor, from(version))
			t.Require(err == nil, "The store is at %d, its versions lie %d apart, and the window is %d changes long. So all changes above %d are remembered, and a watch from %d was refused with %s. What counts is whether a change above that is forgotten, and not how far away the oldest one is.", s.version, stride, window, lost, version, conform.Said(err))
			w.Expect(t, s.after(version, ""), "A watch from version %d did not bring the last %d changes.", version, window)
			w.Stop()
		}
	}
}
