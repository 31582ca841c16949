package gotest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

// burdens are small to write and large to build, and what must be said of each: a limit
// that it met, the words of a compiler's complaint, or "" where it simply builds.
var burdens = []struct{ name, source, want string }{
	{"generics that double", doubledTypes(40), string(outcome.TooMuchMemory)},
	{"generics two by two", "type pair[A, B any] struct {\n\ta A\n\tb B\n}\n\n" + numbered(24, "func f#[A any](n int) {\n\tif n > 0 {\n\t\tf+[pair[A, int]](n - 1)\n\t\tf+[pair[int, A]](n - 1)\n\t}\n}\n\n") +
		"func f24[A any](n int) {}\n\nfunc start() { f0[int](9) }\n", string(outcome.TooMuchMemory)},
	{"strings that double", doubling(40), string(outcome.TooMuchMemory)},
	{"a far index", "var room = [...]int{1 << 30: 1}\n", string(outcome.TooMuchMemory)},
	{"an array of a terabyte", "var room [1 << 40]byte\n\nfunc use() byte { return room[len(room)-1] }\n", place(3, 19)},
	{"parentheses", "var deep = " + strings.Repeat("(", 10_000) + "1" + strings.Repeat(")", 10_000) + "\n", ""},
	{"very many parentheses", "var deep = " + strings.Repeat("(", 90_000) + "1" + strings.Repeat(")", 90_000) + "\n", ""},
	{"a long sum", "var sum = 1" + strings.Repeat("+1", 90_000) + "\n", ""},
	{"statements", "func long() {\n\tx := 0\n" + strings.Repeat("\tx++\n", 25_000) + "\t_ = x\n}\n", ""},
	{"a constant of many digits", "const big = 1 << 500 << 500 << 500 << 500 << 500\n\nconst huge = big * big * big\n", place(1, 22) + "constant shift overflow"},
	{"digits", "var x = 1" + strings.Repeat("0", 120_000) + "\n", place(1, 9) + "excessively long constant"},
}

// beforeBurden is what stands before a burden in its file.
const beforeBurden = "\n\treturn nil, nil\n}\n"

// place is how the compiler begins a complaint about a line of a burden, which counts from 1.
func place(line, column int) string {
	return fmt.Sprintf("labs/01-goroutines/gather.go:%d:%d: ", strings.Count(confinedHead+beforeBurden, "\n")+line, column)
}

func numbered(n int, text string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.NewReplacer("#", fmt.Sprint(i), "+", fmt.Sprint(i+1)).Replace(text))
	}
	return b.String()
}

func doubledTypes(n int) string {
	return "type pair[A, B any] struct {\n\ta A\n\tb B\n}\n\n" + numbered(n, "func grow#[A any](a A) { grow+(pair[A, A]{a, a}) }\n\n") +
		fmt.Sprintf("func grow%d[A any](a A) {}\n\nfunc start() { grow0(1) }\n", n)
}

// TestBurdens: a limit stops the tools, confined or not, and the author of the code reads
// which limit that was.
func TestBurdens(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs compilers into their limits")
	}
	isolation, err := sandbox.Choose(t.Context(), string(sandbox.Auto))
	require.NoError(t, err)
	kits := map[string]*Kit{"unconfined": testKit(t), "confined": confined(t, isolation)}
	for name, kit := range kits {
		for _, burden := range burdens {
			t.Run(name+"/"+burden.name, func(t *testing.T) {
				b, err := kit.Build(t.Context(), submitted(t, kit, confinedHead+beforeBurden+burden.source))
				if burden.want == "" {
					require.NoError(t, err)
					b.Remove()
					return
				}
				var broken *CompileError
				require.ErrorAs(t, err, &broken)
				assert.Contains(t, "\n"+broken.Text, "\n"+burden.want)
				assert.NotContains(t, broken.Text, kit.Temp, "a path of the checker's own reached the learner")
			})
		}
	}
}
