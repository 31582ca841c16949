package kernel

import (
	"io"
	"strings"
	"testing"
)

// client has few connections, and a response holds one until its body is closed.
type client struct{ conns chan struct{} }

type body struct {
	io.Reader
	release func()
}

func (b body) Close() error { b.release(); return nil }

func (c *client) get(path string) (int, io.ReadCloser) {
	c.conns <- struct{}{}
	return len(path), body{strings.NewReader(path), func() { <-c.conns }}
}

// healthy wants the status only, and leaves the body open.
func healthy(c *client, path string) bool {
	status, _ := c.get(path)
	return status > 0
}

func Kernel(t testing.TB) {
	c := &client{conns: make(chan struct{}, 2)}
	for _, path := range []string{"/livez", "/readyz", "/healthz"} {
		if !healthy(c, path) {
			t.Errorf("%s is not healthy", path)
		}
	}
}
