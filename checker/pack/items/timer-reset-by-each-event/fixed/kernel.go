package kernel

import (
	"testing"
	"time"
)

// debounce resets a timer that may have fired already, and drains no channel: since Go 1.23
// Reset leaves no old tick behind.
func debounce(events <-chan int, quiet time.Duration) (batches [][]int) {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var batch []int
	for {
		select {
		case n, ok := <-events:
			if !ok {
				return append(batches, batch)
			}
			batch = append(batch, n)
			timer.Reset(quiet)
		case <-timer.C:
			batches, batch = append(batches, batch), nil
		}
	}
}

func Kernel(t testing.TB) {
	events := make(chan int)
	done := make(chan [][]int)
	go func() { done <- debounce(events, time.Millisecond) }()
	for n := range 20 {
		events <- n
		time.Sleep(time.Duration(n%3) * time.Millisecond)
	}
	close(events)
	total := 0
	for _, batch := range <-done {
		total += len(batch)
	}
	if total != 20 {
		t.Errorf("%d events", total)
	}
}
