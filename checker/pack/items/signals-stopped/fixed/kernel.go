package kernel

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
)

// The library keeps a goroutine of its own for signals; that of the program ends.
func Kernel(t testing.TB) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR2)
	done := make(chan struct{})
	go func() {
		for range signals {
		}
		close(done)
	}()
	signal.Stop(signals)
	close(signals)
	<-done
}
