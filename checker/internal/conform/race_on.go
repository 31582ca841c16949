//go:build race

package conform

import (
	"runtime"
	"unsafe"

	_ "github.com/controllerbook/controllerbook/checker/internal/libgcc" // a quicker link
)

// raceErrors is how many data races the race detector has reported.
func raceErrors() int { return runtime.RaceErrors() }

// hideSync makes the race detector blind to what the calling goroutine synchronizes, until
// showSync. sync.Pool and sync.WaitGroup do the same.
func hideSync() { runtime.RaceDisable() }

func showSync() { runtime.RaceEnable() }

// handOver makes what the calling goroutine has done happen before what any goroutine does
// after takeOver of the same log. It orders nobody else.
func handOver(l *eventLog) { runtime.RaceReleaseMerge(unsafe.Pointer(l)) }

func takeOver(l *eventLog) { runtime.RaceAcquire(unsafe.Pointer(l)) }
