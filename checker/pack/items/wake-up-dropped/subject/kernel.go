package kernel

import (
	"sync"
	"testing"
)

type outbox struct {
	mu   sync.Mutex
	mail []string
	wake chan struct{}
}

// put does not wait for the sender to listen: a wake-up that comes earlier is lost.
func (o *outbox) put(s string) {
	o.mu.Lock()
	o.mail = append(o.mail, s)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

func (o *outbox) sendAll(sent func(string)) {
	o.mu.Lock()
	mail := o.mail
	o.mail = nil
	o.mu.Unlock()
	for _, s := range mail {
		sent(s)
	}
}

func Kernel(t testing.TB) {
	o := &outbox{wake: make(chan struct{})}
	done := make(chan struct{})
	put := make(chan struct{})
	sent := func(s string) {
		if s == "second" {
			close(done)
			return
		}
		put <- struct{}{} // the second letter comes while the first is on its way
		<-put
	}
	o.put("first")
	go func() {
		o.sendAll(sent)
		<-o.wake
		o.sendAll(sent)
	}()
	<-put
	o.put("second")
	put <- struct{}{}
	<-done
}
