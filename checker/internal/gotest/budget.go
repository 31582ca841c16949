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
