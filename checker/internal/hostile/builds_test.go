package hostile

import (
	"fmt"
	"strings"
)

// importing is a reference that also imports a package and uses it in a helper.
func importing(path, use string) map[string]string {
	return edited("\t\"sync\"\n)", "\t\"sync\"\n\t"+path+"\n)", "// acquire takes", "func use() { "+use+" }\n\n// acquire takes")
}

// before puts lines before the package clause, after its doc comment's end.
func before(lines string) map[string]string {
	return gather(lines + "\n" + reference)
}

// builds attack the compiler, the go command, or the source that is compiled with
// them. What reaches past the language the gate refuses; what is only too much meets the
// limits of the build.
var builds = []Submission{
	{Name: "b-cgo-constructor", About: "a C constructor prints forged lines and ends the process before Go starts", Want: "forbidden cgo", files: gather(`package goroutines

/*
#include <stdio.h>
#include <unistd.h>
__attribute__((constructor)) static void first(void) { printf("--- PASS: TestCases\n"); _exit(0); }
*/
import "C"
` + afterPackage)},
	{Name: "b-cgo-include", About: "a file of the host in a compiler error", Want: "forbidden cgo", files: gather("package goroutines\n\n// #include \"{{victim}}\"\nimport \"C\"\n" + afterPackage)},
	{Name: "b-cgo-flags", About: "a linker flag that loads a plugin", Want: "forbidden cgo", files: gather("package goroutines\n\n// #cgo LDFLAGS: -Wl,-plugin=/tmp/evil.so\nimport \"C\"\n" + afterPackage)},
	{Name: "b-embed-hidden", About: "the hidden tests, embedded and printed", Want: "forbidden import directive", files: edited(
		"\t\"sync\"\n)", "\t\"sync\"\n\t_ \"embed\"\n)\n\n//go:embed *\nvar all string")},
	{Name: "b-import-os", About: "an import that the lab does not allow", Want: "forbidden import", files: importing(`"os"`, "os.Exit(0)")},
	{Name: "b-import-escaped", About: "its path written with an escape", Want: "forbidden import", files: importing(`"\x6fs"`, "os.Exit(0)")},
	{Name: "b-import-raw", About: "its path in a raw string", Want: "forbidden import", files: importing("`os`", "os.Exit(0)")},
	{Name: "b-import-renamed", About: "under the name of another package", Want: "forbidden import", files: importing(`time "os"`, "time.Exit(0)")},
	{Name: "b-import-dot", About: "an allowed package, with a dot", Want: "forbidden import", files: importing(`. "errors"`, "_ = New(\"\")")},
	{Name: "b-import-solutions", About: "the reference itself", Want: "forbidden import", files: importing(`ref "github.com/controllerbook/controllerbook/solutions/01-goroutines"`, "_ = ref.Gather[int]")},
	{Name: "b-import-suite", About: "the hidden tests", Want: "forbidden import", files: importing(`suite "github.com/controllerbook/controllerbook/checker/internal/suites/goroutinestest"`, "_ = suite.Lab")},
	{Name: "b-import-wire", About: "the package that reports results", Want: "forbidden import", files: importing(`"github.com/controllerbook/controllerbook/checker/internal/wire"`, "wire.Send(wire.Record{})")},
	{Name: "b-import-unsafe", About: "unsafe", Want: "forbidden import", files: importing(`"unsafe"`, "_ = unsafe.Pointer(nil)")},
	{Name: "b-import-plugin", About: "code from elsewhere", Want: "forbidden import", files: importing(`"plugin"`, "_, _ = plugin.Open(\"/tmp/evil.so\")")},
	{Name: "b-linkname", About: "a function of the runtime by its symbol", Want: "forbidden directive assembly import", files: edited(
		"\t\"sync\"\n)", "\t\"sync\"\n\t_ \"unsafe\"\n)\n\n//go:linkname exit os.runtime_beforeExit\nfunc exit(code int)")},
	{Name: "b-assembly", About: "a function without a body", Want: "forbidden assembly", files: edited("// acquire takes", "func body() int\n\n// acquire takes")},
	{Name: "b-line-directive", About: "blames the hidden tests for its own error", Want: "forbidden directive", files: edited("// acquire takes", "//line hidden.go:1\nvar x int = \"\"\n\n// acquire takes")},
	{Name: "b-line-block", About: "the same in a block comment", Want: "forbidden directive", files: edited("// acquire takes", "/*line hidden.go:1:1*/ var x int\n\n// acquire takes")},
	{Name: "x-norace", About: "hides a race from the detector", Want: "forbidden directive", files: edited("// call runs one", "//go:norace\nfunc racy() {}\n\n// call runs one")},
	{Name: "b-nosplit", About: "a function that cannot be preempted", Want: "forbidden directive", files: edited("// call runs one", "//go:nosplit\nfunc racy() {}\n\n// call runs one")},
	{Name: "b-build-race", About: "a file for builds without the race detector", Want: "forbidden directive", files: before("//go:build !race\n")},
	{Name: "b-build-old", About: "the same in the old form", Want: "forbidden directive", files: before("// +build !race\n")},
	{Name: "b-ignore", About: "a file that no build contains", Want: "forbidden directive", files: before("//go:build ignore\n")},
	{Name: "b-package-main", About: "another package", Want: "forbidden package", files: edited("package goroutines", "package main")},
	{Name: "b-package-test", About: "the suite's own package name", Want: "forbidden package", files: edited("package goroutines", "package goroutines_test")},
	{Name: "b-generic-bomb", About: "types that double with each instance", Want: "compile-error memory", files: edited("// acquire takes", genericBomb+"\n// acquire takes")},
	{Name: "b-generic-cycle", About: "types that double without end", Want: "compile-error cycle", files: edited("// acquire takes", genericCycle+"\n// acquire takes")},
	{Name: "b-constant-bomb", About: "a constant of millions of digits", Want: "compile-error overflow", files: edited("// acquire takes", "const big = 1 << 500 << 500 << 500 << 500 << 500\n\nconst huge = big * big * big * big * big * big * big * big * big\n\n// acquire takes")},
	{Name: "b-array-bomb", About: "an array of a terabyte in the binary", Want: "compile-error large", files: edited("// acquire takes", "var room [1 << 40]byte\n\nfunc last() byte { return room[len(room)-1] }\n\n// acquire takes")},
	{Name: "b-initialised-array", About: "a composite literal with one far index", Want: "compile-error memory", files: edited("// acquire takes", "var room = [...]int{1 << 30: 1}\n\n// acquire takes")},
	{Name: "b-deep-nesting", About: "ten thousand parentheses: these simply build", Want: "pass", files: edited("// acquire takes", "var deep = "+strings.Repeat("(", 10_000)+"1"+strings.Repeat(")", 10_000)+"\n\n// acquire takes")},
	{Name: "b-long-function", About: "twenty-five thousand statements: these simply build", Want: "pass", files: edited("// acquire takes", "func long() {\n\tx := 0\n"+strings.Repeat("\tx++\n", 25_000)+"\t_ = x\n}\n\n// acquire takes")},
	{Name: "b-string-bomb", About: "string constants that double", Want: "compile-error memory", files: edited("// acquire takes", stringBomb+"\n// acquire takes")},
	{Name: "b-deeper-nesting", About: "more parentheses than are read", Want: "forbidden size", files: edited("// acquire takes", "var deep = "+strings.Repeat("(", 110_000)+"1"+strings.Repeat(")", 110_000)+"\n\n// acquire takes")},
	{Name: "b-huge-file", About: "a source of a megabyte", Want: "rejected size", files: edited("// acquire takes", "// "+strings.Repeat("x", 1<<20)+"\n// acquire takes")},
}

// afterPackage is the rest of a lab 01 whose package clause stands before it.
const afterPackage = `
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return "" }
`

// genericBomb is a chain of functions of which each doubles the type it was given.
var genericBomb = func() string {
	text := "type pair[A, B any] struct {\n\ta A\n\tb B\n}\n\n"
	for i := range 40 {
		text += fmt.Sprintf("func grow%d[A any](a A) { grow%d(pair[A, A]{a, a}) }\n\n", i, i+1)
	}
	return text + "func grow40[A any](a A) {}\n\nfunc start() { grow0(1) }\n"
}()

// stringBomb is a constant of 2⁴⁰ bytes.
var stringBomb = func() string {
	text := "const s0 = \"x\"\n"
	for i := range 40 {
		text += fmt.Sprintf("const s%d = s%d + s%d\n", i+1, i, i)
	}
	return text + "\nvar Text = s40\n"
}()

const genericCycle = `type two[A, B any] struct {
	a A
	b B
}

func cycle[A any](n int, a A) {
	if n > 0 {
		cycle(n-1, two[A, A]{a, a})
	}
}
`
