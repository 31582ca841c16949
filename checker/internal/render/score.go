package render

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// score writes the points and how many cases ended how.
func (s *Screen) score(lab catalog.Lab, results []outcome.Result) {
	got, most := 0, 0
	for _, r := range results {
		got += r.Points
		most += r.Max
	}
	look := bold
	if got == most {
		look = good
	}
	label := span{fmt.Sprintf("%d/%d points  ", got, most), look}
	if s.refused {
		s.put(label, span{"no case was run", normal})
		return
	}
	text := tally(results)
	if len(results) < len(lab.Cases) {
		text += fmt.Sprintf(" (%d of the lab's %d cases)", len(results), len(lab.Cases))
	}
	s.put(label, span{text, normal})
	s.withheld(lab, results)
}

// withheld says what a student's copy of the workbook did not run.
func (s *Screen) withheld(lab catalog.Lab, results []outcome.Result) {
	w := lab.Withheld()
	if w.Cases == 0 {
		return
	}
	passed := 0
	for _, r := range results {
		if r.Verdict == verdict.Pass {
			passed++
		}
	}
	s.put(span{fmt.Sprintf("public %d/%d · hidden cases are graded in class: %d, worth %d points",
		passed, len(lab.Cases), w.Cases, w.Points), normal})
}

// tally is "12 passed, 2 data races, 4 not implemented".
func tally(results []outcome.Result) string {
	counts := map[verdict.Verdict]int{}
	for _, r := range results {
		counts[r.Verdict]++
	}
	var parts []string
	for _, v := range verdict.All {
		if n := counts[v]; n > 0 {
			parts = append(parts, v.Count(n))
		}
	}
	return strings.Join(parts, ", ")
}
