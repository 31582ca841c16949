package kernel

import (
	"bytes"
	"sync"
	"testing"
)

func Kernel(t testing.TB) {
	var mu sync.Mutex
	var b bytes.Buffer
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			b.WriteString("line\n")
		})
	}
	wg.Wait()
	if b.Len() != 20 {
		t.Errorf("%d bytes of 20", b.Len())
	}
}
