package conform

import (
	"fmt"
	"runtime"
	"strings"
	"time"
)

// holding is what the process holds at a moment.
type holding struct {
	at         time.Duration // in real time
	heap       uint64        // bytes
	goroutines int
}

func holds() holding { return holding{realTime(), heapBytes(), runtime.NumGoroutine()} }

// since says what has grown out of proportion, "" if nothing has: "the heap from 2 MB to 310 MB".
func (h holding) since(before holding) string {
	const (
		times         = 8 // less is the work itself
		fewBytes      = 64 << 20
		fewGoroutines = 1000
		megabyte      = 1 << 20
	)
	var grown []string
	if h.heap > max(times*before.heap, fewBytes) {
		grown = append(grown, fmt.Sprintf("the heap from %d MB to %d MB", before.heap/megabyte, h.heap/megabyte))
	}
	if h.goroutines > max(times*before.goroutines, fewGoroutines) {
		grown = append(grown, fmt.Sprintf("the number of goroutines from %d to %d", before.goroutines, h.goroutines))
	}
	return strings.Join(grown, ", ")
}
