package probe

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"weak"

	"github.com/stretchr/testify/assert"
)

// ballast makes n values of a kilobyte and pointers to them that do not keep them.
//
//go:noinline
func ballast(n int) ([]*[1024]byte, []weak.Pointer[[1024]byte]) {
	values := make([]*[1024]byte, n)
	pointers := make([]weak.Pointer[[1024]byte], n)
	for i := range values {
		values[i] = new([1024]byte)
		pointers[i] = weak.Make(values[i])
	}
	return values, pointers
}

func TestMemory(t *testing.T) {
	const n = 4096
	before := Heap()
	values, pointers := ballast(n)
	assert.Equal(t, n, Alive(pointers), "all are referenced")
	assert.GreaterOrEqual(t, Growth(before, 1), int64(n*1024))
	runtime.KeepAlive(values) // and nobody uses it after this
	assert.Equal(t, n, AliveAbove(pointers, n), "so many may be, and it does not look")
	assert.LessOrEqual(t, AliveAbove(pointers, 2), 2, "nothing refers to them")
	assert.Less(t, Growth(before, n*512), int64(n*512))
}

func TestWakeups(t *testing.T) {
	const rounds = 10_000
	before := Wakeups()
	ping, pong := make(chan struct{}), make(chan struct{})
	go func() {
		for range rounds {
			<-ping
			pong <- struct{}{}
		}
	}()
	for range rounds {
		ping <- struct{}{}
		<-pong
	}
	assert.Greater(t, Wakeups()-before, uint64(rounds), "two goroutines woke up so often each")
	before = Wakeups()
	assert.Less(t, Wakeups()-before, uint64(rounds/10), "nothing happened")
}

func TestClosed(t *testing.T) {
	c := make(chan struct{})
	assert.False(t, Closed(c))
	close(c)
	assert.True(t, Closed(c))
	assert.False(t, Closed(nil))
}

func TestGoroutine(t *testing.T) {
	there := make(chan string)
	go func() { there <- Goroutine() }()
	assert.NotEqual(t, Goroutine(), <-there)
	assert.Equal(t, Goroutine(), Goroutine())
}

// Nobody passes before the last has come, whichever of the two they wait with.
func TestMeeting(t *testing.T) {
	const n = 8
	for _, meet := range []func(){Barrier(n), Together(n)} {
		var arrived, early atomic.Int32
		var all sync.WaitGroup
		for range n {
			all.Go(func() {
				arrived.Add(1)
				meet()
				if arrived.Load() < n {
					early.Add(1)
				}
			})
		}
		all.Wait()
		assert.Zero(t, early.Load())
	}
}

func TestWhatIsKeptIsFoundWhereItWasMade(t *testing.T) {
	var kept [][]byte
	where := Kept("internal/conform/probe", func() {
		for range 50 {
			kept = append(kept, make([]byte, 1<<10))
			_ = make([]byte, 1<<16)
		}
	})
	assert.Regexp(t, `^51200 bytes in 50 objects, made at internal/conform/probe/probe_test\.go:\d+$`, where)
	assert.Empty(t, Kept("somewhere/else", func() { kept = append(kept, make([]byte, 1<<10)) }))
	runtime.KeepAlive(kept)
}
