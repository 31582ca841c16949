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

func transfer(from, to *account, n int) {
	first, second := from, to
	if first.id > second.id {
		first, second = second, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	second.mu.Lock()
	defer second.mu.Unlock()
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
