package kernel

import (
	"fmt"
	"os"
	"runtime/debug"
	"testing"
)

// A supervisor writes the report as the runtime would have, and starts the worker again.
func supervise(work func(try int)) (tries int) {
	for done := false; !done; tries++ {
		func() {
			defer func() {
				if r := recover(); r != nil {
					fmt.Fprintf(os.Stderr, "panic: %v\n\n%s\n", r, debug.Stack())
				}
			}()
			work(tries)
			done = true
		}()
	}
	return tries
}

func Kernel(t testing.TB) {
	tries := supervise(func(try int) {
		if try == 0 {
			panic("send on closed channel")
		}
	})
	if tries != 2 {
		t.Errorf("%d tries", tries)
	}
}
