package kernel

import (
	"bytes"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// encode puts its buffer back where it fails, and once more at the end.
func encode(pool *sync.Pool, n int) (string, error) {
	b := pool.Get().(*bytes.Buffer)
	defer pool.Put(b)
	b.Reset()
	if n < 0 {
		pool.Put(b)
		return "", errors.New("a negative number")
	}
	for range 20 {
		fmt.Fprint(b, n)
	}
	return b.String(), nil
}

func Kernel(t testing.TB) {
	pool := &sync.Pool{New: func() any { return new(bytes.Buffer) }}
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for range 20 {
				encode(pool, -1)
				if s, _ := encode(pool, i); len(s) != 20 || s[0] != s[19] {
					t.Errorf("%d became %q", i, s)
				}
			}
		})
	}
	wg.Wait()
}
