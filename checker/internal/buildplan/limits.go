package buildplan

import (
	"regexp"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

// Limits are those of the compiler and the linker, for each call. The largest lab takes a
// third of the memory and a twentieth of the time. Source can ask for more than any machine
// has, with constants or generic types that multiply.
var Limits = sandbox.Limits{
	Wall: 3 * time.Minute, Output: 1 << 20,
	CPU: time.Minute, Memory: 2 << 30, File: 256 << 20, Tasks: 256,
}

// GC is their part of an environment: in a tenth of a second's life little garbage has to be
// collected. With Go's own figure a build takes a twentieth longer.
const GC = "GOGC=400"

// What the tools say at a limit, on a line of its own: a compiler's complaint about a
// line of source begins with that line's place and is none of these.
var (
	saysMemory = regexp.MustCompile(`(?m)^(fatal error: )?(runtime: )?(out of memory|cannot allocate memory|failed to reserve .* memory)|^fatal error: .*(allocat|memory)|^\S+: .*(cannot allocate memory|out of memory|memory exhausted)$`)
	saysTime   = regexp.MustCompile(`(?m)^\S+: signal: (killed|CPU time limit exceeded|cputime limit exceeded)|^SIGXCPU`)
	saysDeep   = regexp.MustCompile(`(?m)^runtime: goroutine stack exceeds|^fatal error: stack overflow`)
	saysLarge  = regexp.MustCompile(`(?m)^\S*link: (too much data|.* too large|.*doesn't fit|writing output: .*file too large)|file too large$`)
)

// Exhausted says which limit a build met that failed, by how its process ended and
// what the tools said, or "".
func Exhausted(r sandbox.Result, text string) outcome.Exhausted {
	switch {
	case r.Outgrown || saysMemory.MatchString(text):
		return outcome.TooMuchMemory
	case r.TimedOut || r.CPUSpent || saysTime.MatchString(text):
		return outcome.TooMuchTime
	case saysDeep.MatchString(text):
		return outcome.TooDeep
	case saysLarge.MatchString(text):
		return outcome.TooLarge
	}
	return ""
}
