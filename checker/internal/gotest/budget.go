package gotest

import (
	"cmp"
	"runtime"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

// Budget is what a case may cost. The zero value is the usual budget, for a learner who
// waits for one lab. A class has many submissions that never end, and needs a smaller one.
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

// reduced is the budget of cases whose code has shown that it may never end: two fifths of
// the processor time, which is four seconds of the usual ten, and a third of the wall
// clock. It has to be more than any right solution uses, because a function that never ends
// must not cost the points of another: the dearest case of any reference takes 1.6 seconds.
func (b Budget) reduced() Budget {
	b.CPU = max((b.cpu() * 2 / 5).Truncate(time.Second), time.Second)
	b.Wall = cmp.Or(b.Wall, wallClock) / 3
	return b
}

// realClock is the wall clock of a second look, at a case whose sleeps take real time. Code
// that holds a lock while it sleeps may be right, and then the case passes. But many cases sleep
// for minutes, and a learner waits for the verdict.
const realClock = 20 * time.Second

// onRealClock is the budget of a second look.
func (b Budget) onRealClock() Budget {
	b.Wall = min(cmp.Or(b.Wall, wallClock), realClock)
	return b
}
