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

func healthy(c *client, path string) bool {
	status, body := c.get(path)
	defer body.Close()
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
