package kernel

import (
	"sync"
	"testing"
)

type peer struct{ in, out chan int }

// Both peers send their vote before they receive the other's.
func (p peer) vote(mine int) int {
	p.out <- mine
	theirs := <-p.in
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
