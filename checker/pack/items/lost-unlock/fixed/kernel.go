package kernel

import (
	"sync"
	"testing"
)

type account struct {
	mu      sync.Mutex
	balance int
}

func (a *account) withdraw(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.balance < n {
		return false
	}
	a.balance -= n
	return true
}

func Kernel(t testing.TB) {
	a := &account{balance: 10}
	for _, n := range []int{4, 8, 2} {
		a.withdraw(n)
	}
}
