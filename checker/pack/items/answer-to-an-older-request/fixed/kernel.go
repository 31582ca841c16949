package kernel

import "testing"

type request struct {
	id    int
	reply chan int
}

type client struct {
	requests chan request
}

func (c *client) serve() {
	for r := range c.requests {
		r.reply <- r.id
	}
}

func (c *client) ask(id int, patient bool) int {
	r := request{id, make(chan int, 1)}
	c.requests <- r
	if !patient {
		return 0
	}
	return <-r.reply
}

func Kernel(t testing.TB) {
	c := &client{make(chan request)}
	go c.serve()
	defer close(c.requests)
	c.ask(1, false)
	if id := c.ask(2, true); id != 2 {
		t.Errorf("request 2 has the reply to request %d", id)
	}
}
