package kernel

import (
	"sync"
	"testing"
)

type conn struct {
	once   sync.Once
	closed chan struct{}
}

// Close is called by the reader when the line fails, and by the owner at the end.
func (c *conn) Close() { c.once.Do(func() { close(c.closed) }) }

func Kernel(t testing.TB) {
	c := &conn{closed: make(chan struct{})}
	var wg sync.WaitGroup
	wg.Go(c.Close)
	wg.Go(func() {
		<-c.closed
		c.Close()
	})
	c.Close()
	wg.Wait()
}
