package kernel

import (
	"io"
	"testing"
)

func Kernel(t testing.TB) {
	r, w := io.Pipe()
	read := make(chan int, 1)
	go func() {
		b, _ := io.ReadAll(r)
		read <- len(b)
	}()
	io.WriteString(w, "three pods")
	w.Close()
	if n := <-read; n != 10 {
		t.Errorf("read %d bytes", n)
	}
}
