package conform

import (
	"runtime"
	"sync"
)

// bubbles are those under way, and how many processors there were before the first of them.
var bubbles struct {
	mu         sync.Mutex // guards the rest
	n          int
	processors int
}

// oneProcessor leaves the process one processor until restore is called, as often as it was called
// itself: two goroutines of a bubble that run a timer each at one moment share a thread of the race
// detector, and destroy it. The process then dies of "ThreadSanitizer: CHECK failed" or of a segmentation
// fault, and nothing that it says of data races can be believed (golang/go#78156).
func oneProcessor() (restore func()) {
	bubbles.mu.Lock()
	defer bubbles.mu.Unlock()
	if bubbles.n++; bubbles.n == 1 {
		bubbles.processors = runtime.GOMAXPROCS(1)
	}
	return func() {
		bubbles.mu.Lock()
		defer bubbles.mu.Unlock()
		if bubbles.n--; bubbles.n == 0 {
			runtime.GOMAXPROCS(bubbles.processors)
		}
	}
}
