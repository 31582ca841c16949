package kernel

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// Nobody writes to the pipe, and the deadline ends the read.
func Kernel(t testing.TB) {
	client, server := net.Pipe()
	defer client.Close()
	defer server.Close()
	if err := client.SetReadDeadline(time.Now().Add(5 * time.Millisecond)); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the read ended with %v", err)
	}
}
