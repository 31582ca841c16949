package kernel

import (
	"testing"
	"time"
)

// The goroutine outlives the call by two seconds, and ends.
func Kernel(t testing.TB) {
	go func() { <-time.After(2 * time.Second) }()
}
