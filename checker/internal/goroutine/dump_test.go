package goroutine

import (
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const recorded = `panic: boom

goroutine 21 [chan receive (durable), synctest bubble 3]:
example.com/lab.(*Queue[...]).Get(0xc0000e6488?)
	example.com/lab/queue.go:61 +0xa6
example.com/suite.init.func7.1({0x6db4a0, 0xc0000b4000}, 0x2)
	example.com/suite/hidden.go:19 +0x5fd
created by testing.(*T).Run in goroutine 20
	testing/testing.go:2150 +0x5fd

what the program printed in between
goroutine 5 gp=0xc000007c00 m=nil [sync.Mutex.Lock, 3 minutes]:
sync.(*Mutex).Lock(...)
	sync/mutex.go:46
...additional frames elided...
created by example.com/lab.New[...] in goroutine 7
	example.com/lab/queue.go:30 +0x9f

goroutine 9 [chan send (leaked)]:
example.com/lab.leak.func1()
	C:/x/lab.go:3 +0x34
`

func TestParseReadsWhatTheRuntimeWrites(t *testing.T) {
	all := Parse(recorded)
	require.Len(t, all, 3)

	first := all[0]
	assert.Equal(t, 21, first.ID)
	assert.Equal(t, "chan receive", first.State)
	assert.True(t, first.Durable)
	assert.Equal(t, 3, first.Bubble)
	require.Len(t, first.Frames, 2)
	assert.Equal(t, Frame{Func: "example.com/lab.(*Queue[...]).Get", File: "example.com/lab/queue.go", Line: 61}, first.Frames[0])
	assert.Equal(t, "example.com/suite.init.func7.1", first.Frames[1].Func, "the argument list may hold braces")
	assert.Equal(t, "testing.(*T).Run", first.Creator.Func)
	assert.True(t, first.Touches("example.com/lab"))
	assert.False(t, first.Touches("example.com/la"), "a package is not its prefix")

	second := all[1]
	assert.Equal(t, "sync.Mutex.Lock", second.State)
	assert.True(t, second.OnMutex())
	assert.True(t, second.Blocked())
	assert.Equal(t, Frame{Func: "example.com/lab.New[...]", File: "example.com/lab/queue.go", Line: 30}, second.Creator)

	third := all[2]
	assert.True(t, third.Leaked)
	assert.Equal(t, "C:/x/lab.go", third.Frames[0].File, "a drive letter is no line number")
}

func TestParseReadsALiveDump(t *testing.T) {
	stuck := make(chan int)
	go func() { <-stuck }()
	defer close(stuck)
	for {
		runtime.Gosched()
		buf := make([]byte, 1<<16)
		all := Parse(string(buf[:runtime.Stack(buf, true)]))
		assert.Equal(t, "running", all[0].State, "runtime.Stack puts the caller first")
		for _, g := range all {
			if g.Blocked() && g.State == "chan receive" && strings.HasSuffix(g.Creator.Func, ".TestParseReadsALiveDump") {
				return
			}
		}
	}
}

func TestACallThatTheCheckerPutThereIsNotShown(t *testing.T) {
	all := Parse(`goroutine 9 [runnable]:
runtime.Gosched(...)
	runtime/proc.go:388
github.com/controllerbook/controllerbook/checker/nudge.Step(...)
	github.com/controllerbook/controllerbook/checker/nudge/nudge.go:49
example.com/lab.spin(...)
	example.com/lab/lab.go:12 +0x1d
`)
	require.Len(t, all, 1)
	assert.Equal(t, []Frame{{Func: "example.com/lab.spin", File: "example.com/lab/lab.go", Line: 12}}, all[0].Frames)
}
