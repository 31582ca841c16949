package kernel

import (
	"context"
	"testing"
	"time"
)

// Nothing happens until the deadline.
func Kernel(t testing.TB) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
	defer cancel()
	<-ctx.Done()
}
