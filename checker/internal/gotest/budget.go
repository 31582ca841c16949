package gotest

import (
	"cmp"
	"runtime"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

// Budget is what a case may cost. The zero value is the usual, which is for a learner
// who waits for one lab; a class cannot wait as long for each of its sleepers.
type Budget struct {
	CPU    time.Duration // processor time of a case, in whole seconds
	Wall   time.Duration // from a case's start to its end
	AtOnce int           // cases of one binary at once
}

func (b Budget) cpu() time.Duration { return cmp.Or(b.CPU, cpuSeconds*time.Second) }

func (b Budget) atOnce() int { return cmp.Or(b.AtOnce, runtime.GOMAXPROCS(0)) }

func (b Budget) limits() sandbox.Limits {
	l := limits
	l.Wall = cmp.Or(b.Wall, wallClock)
	l.CPU = 3 * b.cpu()
	return l
}

// enough is how many cases of a binary may use up their budget before the others get a
// reduced one.
const enough = 2

// reduced is the budget of cases whose code has shown that it may never end: two fifths
// of the processor time, of the usual ten seconds four, and a third of the wall clock.
// It has to be more than any right solution uses, for a function that never ends must
// not cost the points of another: of all references' cases the dearest takes 1.6 seconds.
func (b Budget) reduced() Budget {
	b.CPU = max((b.cpu() * 2 / 5).Truncate(time.Second), time.Second)
	b.Wall = cmp.Or(b.Wall, wallClock) / 3
	return b
}
