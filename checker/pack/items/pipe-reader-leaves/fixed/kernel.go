package kernel

import (
	"bufio"
	"fmt"
	"io"
	"testing"
)

func produce(w *io.PipeWriter) {
	defer w.Close()
	for i := range 10 {
		if _, err := fmt.Fprintf(w, "line %d\n", i); err != nil {
			return
		}
	}
}

func firstLine() (string, error) {
	r, w := io.Pipe()
	defer r.Close()
	go produce(w)
	return bufio.NewReader(r).ReadString('\n')
}

func Kernel(t testing.TB) {
	if line, err := firstLine(); err != nil || line != "line 0\n" {
		t.Errorf("got %q, %v", line, err)
	}
}
