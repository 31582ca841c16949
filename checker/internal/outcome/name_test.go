package outcome

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// recordedNames are from dumps and race reports of go1.26.8.
var recordedNames = map[string]string{
	"Gather":           "Gather",
	"Gather[...]":      "Gather",
	"Kernel.Run":       "Kernel.Run",
	"(*Pump[...]).Add": "Pump.Add",
	"(*Pump[go.shape.struct { A map[string]int; B []go.shape.int }]).Add": "Pump.Add",
	"(*Pump[...]).Add-fm":        "Pump.Add",
	"Gather[...].func1":          "Gather (func literal)",
	"Gather[...].func1.1":        "Gather (func literal)",
	"Gather[...].func2-range1":   "Gather (func literal)",
	"Gather-range1":              "Gather",
	"Gather.gowrap1":             "Gather (go statement)",
	"Gather.func1.gowrap2":       "Gather (go statement)",
	"Kernel.Run.deferwrap1":      "Kernel.Run (deferred call)",
	"(*state).start.func1.1":     "state.start (func literal)",
	"init.func2":                 "(func literal)",
	"glob..func1":                "(func literal)",
	"Mapped.mapper.func2":        "mapper (func literal)",
	"Gather.OnceFunc.func3":      "Gather (func literal)",
	"Kernel.Run.OnceFunc.func3":  "Kernel.Run (func literal)",
	"Gather.func1.helper.func2":  "helper (func literal)",
	"Gather.Kernel.Run.func2":    "Kernel.Run (func literal)",
	"init.Gather[...].func1":     "Gather (func literal)",
	"(*state).start.gowrap1":     "state.start (go statement)",
	"(*state).stop.deferwrap1":   "state.stop (deferred call)",
	"func1":                      "func1",
	"":                           "",
	"]].[[..":                    "",
	"(*Foreign).Do":              "Foreign.Do",
	"Foreign.Do":                 "Foreign.Do",
	"Foreign.Do.func1":           "Foreign.Do (func literal)",
	"(*Foreign).Do.inner.func1":  "Foreign.Do (func literal)",
	"(*Foreign).Do.(*Other).a.1": "Other.a (func literal)",
	"(*state).start.(*state).handleWriteResponse.func1":    "state.handleWriteResponse (func literal)",
	"(*state).start.(*state).handleWriteResponse.func1.2":  "state.handleWriteResponse (func literal)",
	"Gather[...].(*state).handleWriteResponse.func3.Wait.": "Wait",
}

func TestFunctionsAreNamedAsTheyAreWritten(t *testing.T) {
	declared := map[string]bool{
		"Gather": true, "Wait": true, "helper": true, "Kernel.Run": true, "Pump.Add": true, "Mapped": true, "mapper": true,
		"state.start": true, "state.handleWriteResponse": true, "state.stop": true, "Kernel": true, "Pump": true, "state": true,
	}
	known := func(name string) bool { return declared[name] }
	for name, want := range recordedNames {
		assert.Equal(t, want, written(name, known), name)
	}
}

func FuzzWritten(f *testing.F) {
	f.Add("(*state).start.(*state).handleWriteResponse.func1.2")
	f.Add("Gather[go.shape.int].func2-range1.gowrap3")
	f.Fuzz(func(_ *testing.T, name string) {
		written(name, func(string) bool { return false })
		written(name, func(string) bool { return true })
	})
}

const inlined = `goroutine 20 [chan receive]:
` + pkg + `.(*state).start.(*state).handleWriteResponse.func1()
	` + file + `:61 +0x45
created by ` + pkg + `.(*state).start in goroutine 1
	` + file + `:33 +0x8b

goroutine 28 [select (no cases)]:
` + pkg + `.Gather.OnceFunc.func2()
	sync/oncefunc.go:33 +0x4b
` + pkg + `.Gather()
	` + file + `:48 +0x33
created by ` + pkg + `.Gather.gowrap1 in goroutine 1
	` + file + `:47 +0x8b
`

func TestADumpNamesTheSourceAndItsLines(t *testing.T) {
	r := Result{}
	f := folder{Target: about, r: &r}
	at := func(line int, fn string) Location {
		return Location{File: "labs/01-goroutines/gather.go", Line: line, Func: fn}
	}
	assert.Equal(t, []Goroutine{
		{State: "chan receive", At: at(61, "state.handleWriteResponse (func literal)"), Started: at(33, "state.start"), Count: 1},
		{State: "select (no cases)", At: at(48, "Gather"), Started: at(47, "Gather (go statement)"), Count: 1},
	}, f.group(inlined, nil), "a literal of another package that was inlined stands in that package's file")
}
