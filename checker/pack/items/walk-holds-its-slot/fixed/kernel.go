package kernel

import (
	"sync"
	"sync/atomic"
	"testing"
)

type dir []dir

func walk(d dir, slots chan struct{}, seen *atomic.Int64) {
	slots <- struct{}{}
	seen.Add(1)
	<-slots
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
