package kernel

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
)

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// The same buffer is written by one goroutine after another, without a lock of ours.
func Kernel(t testing.TB) {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 50 {
				b := buffers.Get().(*bytes.Buffer)
				b.Reset()
				fmt.Fprintf(b, "%d-%d", i, n)
				if b.String() != fmt.Sprintf("%d-%d", i, n) {
					t.Errorf("the buffer of %d-%d holds %q", i, n, b)
				}
				buffers.Put(b)
			}
		})
	}
	wg.Wait()
}
