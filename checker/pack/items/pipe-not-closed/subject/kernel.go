package kernel

import (
	"io"
	"testing"
)

// The writer does not close its end, so the reader waits for more.
func Kernel(t testing.TB) {
	r, w := io.Pipe()
	read := make(chan int, 1)
	go func() {
		b, _ := io.ReadAll(r)
		read <- len(b)
	}()
	io.WriteString(w, "three pods")
}
