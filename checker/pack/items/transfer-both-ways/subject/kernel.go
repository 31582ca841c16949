package kernel

import (
	"sync"
	"testing"
)

type account struct {
	id      int
	mu      sync.Mutex
	balance int
}

// Two transfers in opposite directions take the two locks in opposite orders.
func transfer(from, to *account, n int) {
	from.mu.Lock()
	defer from.mu.Unlock()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.balance -= n
	to.balance += n
}

func Kernel(t testing.TB) {
	a, b := &account{id: 1, balance: 100}, &account{id: 2, balance: 100}
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() { transfer(a, b, 1) })
		wg.Go(func() { transfer(b, a, 1) })
	}
	wg.Wait()
	if a.balance+b.balance != 200 {
		t.Error("money was lost")
	}
}
