package kernel

import (
	"io"
	"testing"
)

// The writer closes its end, and the reader comes to an end.
func Kernel(t testing.TB) {
	r, w := io.Pipe()
	go func() {
		defer w.Close()
		io.WriteString(w, "three pods")
	}()
	if b, _ := io.ReadAll(r); len(b) != 10 {
		t.Errorf("read %d bytes", len(b))
	}
}
