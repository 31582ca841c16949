package kernel

import "testing"

// The loop sends to the channel that it receives from, and never more than there is room.
func Kernel(t testing.TB) {
	mailbox := make(chan int, 2)
	mailbox <- 1
	visited := 0
	for len(mailbox) > 0 {
		n := <-mailbox
		visited++
		if n < 16 {
			mailbox <- n * 2
		}
	}
	if visited != 5 {
		t.Errorf("%d numbers were visited", visited)
	}
}
