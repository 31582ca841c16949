package kernel

import "testing"

// There is no lock: whoever has received the slice owns it.
func Kernel(t testing.TB) {
	pass, back := make(chan []int), make(chan []int)
	go func() {
		for s := range pass {
			s[0]++
			back <- s
		}
		close(back)
	}()
	s := []int{0}
	for range 10 {
		s[0]++
		pass <- s
		s = <-back
	}
	close(pass)
	if s[0] != 20 {
		t.Errorf("counted %d", s[0])
	}
}
