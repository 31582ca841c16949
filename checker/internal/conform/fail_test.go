package conform

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// attempted makes a scenario that keeps its failure to itself, with a history of many calls.
func attempted(t *testing.T) *T {
	scenario := (&run{tb: t, config: wire.Config{}}).newT(nil, t.Context(), 0, false)
	scenario.attempt = scenario.Attempt(func() {}, nil)
	for i := range 1000 {
		scenario.Call("Add(%d)", i).Returned("true")
	}
	return scenario
}

// TestOnlyTheFirstFailureCosts: a handler that is called wrong a thousand times must not have a
// learner wait for a thousand histories.
func TestOnlyTheFirstFailureCosts(t *testing.T) {
	scenario := attempted(t)
	scenario.Errorf("first")
	assert.Greater(t, len(scenario.attempt.failure.past), 10)
	again := testing.AllocsPerRun(10, func() { scenario.Errorf("again") })
	assert.Less(t, again, 10.0, "a failure after the first makes a history that nobody reads")
	assert.Equal(t, "first", scenario.attempt.failure.message)
}

func TestFailuresAtOnceAreOne(t *testing.T) {
	scenario := attempted(t)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() { scenario.Errorf("at once") })
	}
	wg.Wait()
	broke := 0
	for _, e := range scenario.attempt.failure.past {
		if e.Broke {
			broke++
		}
	}
	assert.Equal(t, 1, broke)
}

// TestAPanicIsRememberedBeyondItsAttempt: what the attempts after it run into is its echo.
func TestAPanicIsRememberedBeyondItsAttempt(t *testing.T) {
	scenario := (&run{tb: t, config: wire.Config{}}).newT(nil, t.Context(), 0, false)
	assert.Nil(t, scenario.run.remembered())
	for _, value := range []string{"first", "smaller"} {
		try := scenario.Attempt(func() {}, func(any) bool { return false })
		assert.Panics(t, func() { try.Run(func(t *T) { t.Note("%s", value); panic(value) }) })
		rec := scenario.run.remembered().crashed()
		assert.Equal(t, wire.Crash, rec.Kind)
		assert.Equal(t, value, rec.Message)
		assert.Contains(t, rec.Dump, "fail_test.go", "the stack of the panic")
		assert.NotEmpty(t, rec.History)
	}
}
