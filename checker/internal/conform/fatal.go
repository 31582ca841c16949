package conform

import (
	"runtime"
	"sync/atomic"
)

// Fatal is a value for the suite's code to panic with, below the subject's, where the
// contract says that the panic ends the process. Nobody has recovered such a panic when the
// runtime asks its value for a text to print. Fatal ends the goroutine there, so that
// the process goes on and the case can say what it has seen.
type Fatal struct {
	unrecovered atomic.Bool
}

// Fatal makes a value to panic with, once. What the goroutine that panics would have done is
// never done then, and others may wait for it: the case does not look for leaks.
func (t *T) Fatal() *Fatal {
	t.run.mu.Lock()
	defer t.run.mu.Unlock()
	t.run.maimed = true
	return new(Fatal)
}

// Unrecovered reports whether a panic with f has come to the end of its goroutine.
func (f *Fatal) Unrecovered() bool { return f.unrecovered.Load() }

// Error makes f an error, because the runtime calls its Error before it ends the process. It is
// an ordinary error to everybody else.
func (f *Fatal) Error() string {
	callers := make([]uintptr, 8)
	frames := runtime.CallersFrames(callers[:runtime.Callers(1, callers)])
	for more := true; more; {
		var frame runtime.Frame
		frame, more = frames.Next()
		if frame.Function == "runtime.preprintpanics" {
			f.unrecovered.Store(true)
			runtime.Goexit()
		}
	}
	return "a panic of the work"
}
