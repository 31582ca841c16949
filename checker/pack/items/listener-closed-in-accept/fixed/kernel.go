package kernel

import (
	"errors"
	"net"
	"testing"
)

// The goroutine waits in Accept for a connection that never comes. Close wakes it.
func Kernel(t testing.TB) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				ended <- err
				return
			}
			c.Close()
		}
	}()
	l.Close()
	if err := <-ended; !errors.Is(err, net.ErrClosed) {
		t.Errorf("Accept returned %v", err)
	}
}
