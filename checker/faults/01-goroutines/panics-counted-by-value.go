//go:build ignore

// Mistake: Panics are counted in a map by their value, and a value that cannot be a key, as a slice, panics in the deferred function: the process ends.
// Killed by: panic-becomes-error
// Verdict: panic

package goroutines

import (
	"context"
	"runtime/debug"
	"sync"
)

func call[T any](ctx context.Context, task func(ctx context.Context) (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			panicsMu.Lock()
			defer panicsMu.Unlock()
			panics[p]++
			err = &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	return task(ctx)
}

var (
	panicsMu sync.Mutex
	panics   = map[any]int{} // guarded by panicsMu
)
