package kernel

import (
	"testing"
	"time"
)

// Everything stands still for three seconds, and then a timer fires.
func Kernel(t testing.TB) {
	<-time.After(3 * time.Second)
}
