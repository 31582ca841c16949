package classdir

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

// TestAClassMayBeOfAnySize writes a class as it is read, and looks at what is kept of
// it: a few words for each student, and not their histories.
func TestAClassMayBeOfAnySize(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	lab := catalog.Labs()[0]
	var heap [2]uint64
	err := Write(t.TempDir(), func(yield func(result.Grade, error) bool) {
		for i := range 201 {
			if i%200 == 0 || i == 1 {
				heap[min(i/200, 1)] = live()
			}
			if !yield(resulttest.NewGrade(rng, roster.Student{ID: fmt.Sprintf("s%04d", i)}, lab.Lab, 0.6), nil) {
				return
			}
		}
	}, resulttest.Book())
	require.NoError(t, err)
	assert.Less(t, int64(heap[1])-int64(heap[0]), int64(200*4<<10), "200 students and a lab, at most 4 KiB each")
}

// live is what the heap holds and cannot be freed.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
