package kernel

import (
	"sync"
	"testing"
)

type account struct {
	mu      sync.Mutex
	balance int
}

// withdraw returns without Unlock where the balance does not suffice.
func (a *account) withdraw(n int) bool {
	a.mu.Lock()
	if a.balance < n {
		return false
	}
	a.balance -= n
	a.mu.Unlock()
	return true
}

func Kernel(t testing.TB) {
	a := &account{balance: 10}
	for _, n := range []int{4, 8, 2} {
		a.withdraw(n)
	}
}
