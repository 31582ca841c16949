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

func move(shards []*shard, from, to int) {
	first, second := shards[min(from, to)], shards[max(from, to)]
	first.mu.Lock()
	defer first.mu.Unlock()
	runtime.Gosched()
	second.mu.Lock()
	defer second.mu.Unlock()
	shards[from].pods--
	shards[to].pods++
}

func Kernel(t testing.TB) {
	shards := []*shard{{pods: 100}, {pods: 100}, {pods: 100}}
	var wg sync.WaitGroup
	for i := range shards {
		wg.Go(func() {
			for range 50 {
				move(shards, i, (i+1)%3)
			}
		})
	}
	wg.Wait()
	if shards[0].pods != 100 {
		t.Errorf("shard 0 has %d pods", shards[0].pods)
	}
}
