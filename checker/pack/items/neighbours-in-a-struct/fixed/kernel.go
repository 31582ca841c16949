package kernel

import (
	"sync"
	"testing"
)

type status struct {
	ready, scheduled, bound bool
	conditions              [4]int8
}

// All write to one struct, and no two to the same field or element.
func Kernel(t testing.TB) {
	var s status
	var wg sync.WaitGroup
	wg.Go(func() { s.ready = true })
	wg.Go(func() { s.scheduled = true })
	wg.Go(func() { s.bound = true })
	for i := range s.conditions {
		wg.Go(func() { s.conditions[i]++ })
	}
	wg.Wait()
	if want := (status{true, true, true, [4]int8{1, 1, 1, 1}}); s != want {
		t.Errorf("got %v", s)
	}
}
