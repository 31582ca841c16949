package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

type dir []dir

// walk holds a slot until its children are done, and they need slots too.
func walk(d dir, slots chan struct{}, seen *atomic.Int64) {
	slots <- struct{}{}
	defer func() { <-slots }()
	seen.Add(1)
	var wg sync.WaitGroup
	for _, child := range d {
		wg.Go(func() { walk(child, slots, seen) })
	}
	wg.Wait()
}

func Kernel(t testing.TB) {
	root := dir{dir{dir{dir{}}}, dir{}}
	var seen atomic.Int64
	walk(root, make(chan struct{}, 2), &seen)
	if n := seen.Load(); n != 5 {
		t.Errorf("%d of 5 directories were seen", n)
	}
}
