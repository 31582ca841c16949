package bench

import (
	"strconv"
	"testing"
)

// beside runs the two halves of a row.
func beside[T any](b *testing.B, upstream, solution func() T, measure func(b *testing.B, open func() T)) {
	for _, half := range []struct {
		name string
		open func() T
	}{{"impl=upstream", upstream}, {"impl=solution", solution}} {
		b.Run(half.name, func(b *testing.B) {
			b.ReportAllocs()
			measure(b, half.open)
		})
	}
}

// keys are n keys that look like those of a controller.
func keys(n int) []string {
	keys := make([]string, n)
	for i := range keys {
		keys[i] = "default/pod-" + strconv.Itoa(i)
	}
	return keys
}
