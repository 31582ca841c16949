package kernel

import (
	"bytes"
	"sync"
	"testing"
)

// A bytes.Buffer has no lock of its own.
func Kernel(t testing.TB) {
	var b bytes.Buffer
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			b.WriteString("line\n")
		})
	}
	wg.Wait()
	if b.Len() != 20 {
		t.Errorf("%d bytes of 20", b.Len())
	}
}
