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

// The first line is all that the reader wants, and it does not close its end.
func firstLine() (string, error) {
	r, w := io.Pipe()
	go produce(w)
	return bufio.NewReader(r).ReadString('\n')
}

func Kernel(t testing.TB) {
	if line, err := firstLine(); err != nil || line != "line 0\n" {
		t.Errorf("got %q, %v", line, err)
	}
}
