package conform

import (
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

func TestABubbleHasOneProcessor(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	r := &run{config: wire.Config{CPU: 60}, began: cpuTime()}
	inside := 0
	r.newT(t, t.Context(), 0, false).Virtual(func(*T) { inside = runtime.GOMAXPROCS(0) })
	assert.Equal(t, 1, inside)
	assert.Equal(t, 3, runtime.GOMAXPROCS(0))
}

func TestProcessorsComeBackWithTheLastBubble(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	first, second := oneProcessor(), oneProcessor()
	assert.Equal(t, 1, runtime.GOMAXPROCS(0))
	first()
	assert.Equal(t, 1, runtime.GOMAXPROCS(0), "one bubble is still under way")
	second()
	assert.Equal(t, 3, runtime.GOMAXPROCS(0))
}
