package kernel

import (
	"sync"
	"testing"
)

type peer struct{ in, out chan int }

func (p peer) vote(mine int) int {
	theirs, out := 0, p.out
	for in := p.in; in != nil || out != nil; {
		select {
		case out <- mine:
			out = nil
		case theirs = <-in:
			in = nil
		}
	}
	return max(mine, theirs)
}

func Kernel(t testing.TB) {
	a, b := make(chan int), make(chan int)
	var wg sync.WaitGroup
	for i, p := range []peer{{a, b}, {b, a}} {
		wg.Go(func() {
			if leader := p.vote(i); leader != 1 {
				t.Errorf("peer %d follows %d", i, leader)
			}
		})
	}
	wg.Wait()
}
