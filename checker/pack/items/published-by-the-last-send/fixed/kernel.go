package kernel

import "testing"

type report struct{ lines []string }

// fill writes to the report without a lock. The channel has room, so the send does not wait for the
// receiver; what was written before the send is seen after the receive all the same.
func Kernel(t testing.TB) {
	r := &report{}
	ready := make(chan struct{}, 1)
	go func() {
		for range 3 {
			r.lines = append(r.lines, "ok")
		}
		ready <- struct{}{}
	}()
	<-ready
	if len(r.lines) != 3 {
		t.Errorf("%d lines", len(r.lines))
	}
}
