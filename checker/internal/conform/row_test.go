package conform

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// TestARowIsJudgedAsAWhole: one wrong event is no reason to leave out the others.
func TestARowIsJudgedAsAWhole(t *testing.T) {
	judge := func(third string) (failed bool, breaks int, message string) {
		var a *Attempt
		r := &run{tb: t, config: wire.Config{}}
		scenario := r.newT(nil, context.Background(), 0, false)
		a = scenario.Attempt(func() {}, nil)
		scenario.attempt = a
		row := scenario.Row()
		row.Lists("a resync", "enqueued", nil, nil)
		row.Lists("an update", "enqueued", []string{"web"}, []string{"web"})
		row.Lists("a deletion", "enqueued", []string{third}, []string{"web"})
		for _, e := range scenario.History() {
			if e.Broke {
				breaks++
			}
		}
		done := make(chan struct{})
		go func() { // FailNow ends its goroutine
			defer close(done)
			row.Judge("the handlers enqueued the wrong objects")
		}()
		<-done
		return a.failed, breaks, a.failure.message
	}
	failed, breaks, _ := judge("web")
	assert.False(t, failed)
	assert.Zero(t, breaks)

	failed, breaks, message := judge("db")
	assert.True(t, failed)
	assert.Equal(t, 1, breaks)
	assert.Equal(t, "After 1 of 3 events the handlers enqueued the wrong objects: a deletion (db, should be web). Right were: a resync; an update.", message)
}
