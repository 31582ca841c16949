package kernel

import (
	"runtime"
	"sync"
	"testing"
)

type shard struct {
	mu   sync.Mutex
	pods int
}

// move locks the source first. Three moves in a ring then wait for one another.
func move(from, to *shard) {
	from.mu.Lock()
	defer from.mu.Unlock()
	runtime.Gosched()
	to.mu.Lock()
	defer to.mu.Unlock()
	from.pods--
	to.pods++
}

func Kernel(t testing.TB) {
	shards := []*shard{{pods: 100}, {pods: 100}, {pods: 100}}
	var wg sync.WaitGroup
	for i := range shards {
		wg.Go(func() {
			for range 50 {
				move(shards[i], shards[(i+1)%3])
			}
		})
	}
	wg.Wait()
	if shards[0].pods != 100 {
		t.Errorf("shard 0 has %d pods", shards[0].pods)
	}
}
