package kernel

import (
	"testing"
	"time"
)

type cache struct {
	stop    chan struct{}
	resyncs chan struct{}
}

// start replaces the stop channel, and the loop of the first start keeps the old one.
func (c *cache) start() {
	stop := make(chan struct{})
	c.stop = stop
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
			select {
			case c.resyncs <- struct{}{}:
			default:
			}
		}
	}()
}

func Kernel(t testing.TB) {
	c := &cache{resyncs: make(chan struct{}, 1)}
	c.start()
	c.start() // the connection was lost and is there again
	<-c.resyncs
	close(c.stop)
}
