package render

import (
	"fmt"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// RealStart begins the screen of a run against a server, of which about says what it is.
func (s *Screen) RealStart(lab catalog.Lab, about string) {
	s.lab, s.next, s.refused = lab, explain.Step{}, false
	s.put(span{lab.Title, bold})
	s.para(0, faint, about)
	s.blank()
}

// RealEnd ends it: how many cases passed, and the one next step. again is the command that runs
// the case to begin with once more.
func (s *Screen) RealEnd(lab catalog.Lab, results []outcome.Result, again func(name string) string) {
	s.blank()
	passed := 0
	for _, r := range results {
		if r.Verdict == verdict.Pass {
			passed++
		}
	}
	s.put(span{fmt.Sprintf("%d of %d cases passed", passed, len(results)), bold})
	cases := metas(lab, results)
	first := explain.First(cases, results)
	if first < 0 {
		return
	}
	s.blank()
	if s.next.Do == "" { // there is no detail on the screen
		s.next = explain.Case(cases[first], results[first]).Next
	}
	s.step(s.next)
	s.para(stepWidth, faint, again(cases[first].Name)+" runs this case again")
}
