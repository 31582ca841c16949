package buildplan

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

func TestExhausted(t *testing.T) {
	const tool = "# github.com/controllerbook/controllerbook/labs/01-goroutines\n/usr/local/go/pkg/tool/linux_amd64/"
	for _, c := range []struct {
		name, text string
		result     sandbox.Result
		want       outcome.Exhausted
	}{
		{"memory of the compiler", "fatal error: runtime: out of memory\n\nruntime stack:\n", sandbox.Result{}, outcome.TooMuchMemory},
		{"memory of the linker", "runtime: cannot allocate memory\n", sandbox.Result{}, outcome.TooMuchMemory},
		{"memory of a C linker", "collect2: error\n/usr/bin/ld: memory exhausted\n", sandbox.Result{}, outcome.TooMuchMemory},
		{"memory, seen by the checker", "", sandbox.Result{Outgrown: true, Signal: "killed"}, outcome.TooMuchMemory},
		{"processor time of a child", tool + "compile: signal: killed\n", sandbox.Result{}, outcome.TooMuchTime},
		{"processor time", "", sandbox.Result{CPUSpent: true}, outcome.TooMuchTime},
		{"wall clock", "", sandbox.Result{TimedOut: true}, outcome.TooMuchTime},
		{"the compiler's stack", "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n", sandbox.Result{}, outcome.TooDeep},
		{"the linker's data", tool + "link: too much data, last section SHF_ALLOC (over 2e+09 bytes)\n", sandbox.Result{}, outcome.TooLarge},
		{"an error about a string", "labs/01-goroutines/gather.go:3:9: cannot use \"out of memory\" (untyped string constant) as int value\n", sandbox.Result{}, ""},
		{"an error about a name", "labs/01-goroutines/gather.go:3:9: undefined: memory\n\tcannot allocate memory\n", sandbox.Result{}, ""},
		{"no words at all", "", sandbox.Result{Exit: 1}, ""},
	} {
		assert.Equal(t, c.want, Exhausted(c.result, c.text), c.name)
	}
}
