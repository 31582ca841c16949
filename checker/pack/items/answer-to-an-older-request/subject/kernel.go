package kernel

import "testing"

type request struct {
	id int
}

type client struct {
	requests chan request
	replies  chan int
}

func (c *client) serve() {
	for r := range c.requests {
		c.replies <- r.id
	}
}

// ask may give up on a reply. It comes all the same, and the next request takes it.
func (c *client) ask(id int, patient bool) int {
	c.requests <- request{id}
	if !patient {
		return 0
	}
	return <-c.replies
}

func Kernel(t testing.TB) {
	c := &client{make(chan request), make(chan int, 2)}
	go c.serve()
	defer close(c.requests)
	c.ask(1, false)
	if id := c.ask(2, true); id != 2 {
		t.Errorf("request 2 has the reply to request %d", id)
	}
}
