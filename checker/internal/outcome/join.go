package outcome

import "github.com/controllerbook/controllerbook/checker/internal/verdict"

// Join makes one result of several runs of a case. If some passed and some did
// not, the verdict is Unstable and the first failure is what it shows. A run that
// failed through the checker's own fault says nothing and is left out, unless all did.
func Join(runs []Result) Result {
	if len(runs) == 1 {
		return runs[0]
	}
	passed, counted := 0, 0
	var shown *Result
	for i := range runs {
		switch runs[i].Verdict {
		case verdict.CheckerError:
			continue
		case verdict.Pass:
			passed++
			if shown == nil {
				shown = &runs[i]
			}
		default:
			if shown == nil || shown.Verdict == verdict.Pass {
				shown = &runs[i]
			}
		}
		counted++
	}
	if shown == nil {
		return runs[0]
	}
	joined := *shown
	joined.Passed, joined.Runs = passed, counted
	if 0 < passed && passed < counted {
		joined.Verdict, joined.Points = verdict.Unstable, 0
	}
	return joined
}
