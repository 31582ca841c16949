package conform

import (
	"context"
	"strings"
	"testing"
	"time"

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

// stand waits until its channel is closed.
func stand(begun chan<- struct{}, until <-chan struct{}) {
	close(begun)
	<-until
}

func TestAFailureKnowsWhereTheSubjectWaits(t *testing.T) {
	begun, until := make(chan struct{}), make(chan struct{})
	defer close(until)
	go stand(begun, until)
	<-begun
	r := &run{tb: t, config: wire.Config{Subjects: []string{"github.com/controllerbook/controllerbook/checker/internal/conform"}}}
	of := func(copy int, open bool) string {
		scenario := r.newT(nil, context.Background(), copy, false)
		if call := scenario.Call("Get()"); !open {
			call.Returned("1")
		}
		return scenario.waiting(scenario.History())
	}
	assert.Eventually(t, func() bool { return strings.Contains(of(0, true), "conform.stand(") }, 10*time.Second, time.Millisecond)
	assert.Empty(t, of(0, false), "every call has returned")
	assert.Empty(t, of(3, true), "there are other copies")
}
