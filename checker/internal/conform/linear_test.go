package conform

import (
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// bits is a set of numbers: an input below 64 adds it, any other one asks for the set.
var bits = porcupine.Model{
	Init: func() any { return uint64(0) },
	Step: func(state, input, output any) (bool, any) {
		if in := input.(int); in < 64 {
			return true, state.(uint64) | 1<<in
		}
		return output == state, state
	},
}

// together are calls that all overlap: n that add, and one that asks and gets answer.
func together(n int, answer uint64) []porcupine.Operation {
	calls := []porcupine.Operation{{Input: 64, Output: answer, Return: 1}}
	for i := range n {
		calls = append(calls, porcupine.Operation{ClientId: i + 1, Input: i, Return: 1})
	}
	return calls
}

func TestLinearizable(t *testing.T) {
	r := &run{config: wire.Config{CPU: 60}, began: cpuTime()}
	s := r.newT(nil, t.Context(), 0, false)
	assert.True(t, s.Linearizable(bits, together(3, 0b101)))
	assert.False(t, s.Linearizable(bits, together(3, 0b1000)))
}

// Every subset of forty calls is a state that leads nowhere.
func TestALongSearchIsGivenUpWithinTheBudget(t *testing.T) {
	r := &run{config: wire.Config{CPU: 2}, began: cpuTime()}
	s := r.newT(nil, t.Context(), 0, false)
	for range 3 {
		assert.True(t, s.Linearizable(bits, together(40, 1<<63)), "what could not be refuted counts as right")
	}
	assert.Less(t, cpuTime()-r.began, time.Duration(r.config.CPU)*time.Second, "the searches took what a livelock takes")
}
