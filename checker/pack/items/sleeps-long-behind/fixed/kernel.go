package kernel

import (
	"testing"
	"time"
)

// The entry expires eight seconds after the call, and the goroutine ends.
func Kernel(t testing.TB) {
	entry := make(chan int, 1)
	entry <- 1
	go func() {
		time.Sleep(8 * time.Second)
		<-entry
	}()
	if len(entry) != 1 {
		t.Error("the entry expired at once")
	}
}
