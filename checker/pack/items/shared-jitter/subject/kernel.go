package kernel

import (
	"math/rand"
	"sync"
	"testing"
	"time"
)

type backoff struct {
	rnd *rand.Rand
}

// A rand.Rand of one's own has no lock, other than the functions of package rand.
func (b *backoff) next(d time.Duration) time.Duration {
	return d + time.Duration(b.rnd.Int63n(int64(d)))
}

func Kernel(t testing.TB) {
	b := &backoff{rnd: rand.New(rand.NewSource(1))}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 10 {
				if d := b.next(time.Second); d < time.Second || d >= 2*time.Second {
					t.Errorf("a jitter of %v", d)
				}
			}
		})
	}
	wg.Wait()
}
