package conform

import (
	"time"
	_ "unsafe" // for the linkname
)

// nanotime is the monotonic clock of the machine, inside a bubble, too, where time.Now is
// virtual. The runtime keeps the name for those that link to it (go.dev/issue/67401).
//
//go:linkname nanotime runtime.nanotime
func nanotime() int64

// realTime orders what happens in one instant of virtual time. To read a clock orders no
// two goroutines, and hides no race.
func realTime() time.Duration { return time.Duration(nanotime()) }
