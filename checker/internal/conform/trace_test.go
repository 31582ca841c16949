package conform

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

func TestATraceIsOfTheScenarioInWhichMostHappened(t *testing.T) {
	for _, asked := range []bool{false, true} {
		r := &run{tb: t, config: wire.Config{Trace: asked}}
		for n := range 3 {
			scenario := r.newT(nil, context.Background(), n+1, false)
			for range []int{1, 3, 2}[n] {
				scenario.Note("copy %d", n+1)
			}
			if n == 1 {
				r.retire(scenario)
			}
		}
		past := r.trace()
		if !asked {
			assert.Empty(t, past)
			continue
		}
		assert.Len(t, past, 3)
		assert.Equal(t, "copy 2", past[0].What)
		r.failed = true
		assert.Empty(t, r.trace(), "a case that fails has sent its history")
	}
}
