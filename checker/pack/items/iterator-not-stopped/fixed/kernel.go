package kernel

import (
	"iter"
	"testing"
)

func pages(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				return
			}
		}
	}
}

func first(seq iter.Seq[int]) int {
	next, stop := iter.Pull(seq)
	defer stop()
	page, _ := next()
	return page
}

func Kernel(t testing.TB) {
	if n := first(pages(3)); n != 0 {
		t.Errorf("the first page is %d", n)
	}
}
