package conform

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

func happened(scenario int, e ...wire.Event) wire.Record {
	return wire.Record{Kind: wire.Happened, Scenario: scenario, History: e}
}

func TestHappenedPutsAHistoryTogether(t *testing.T) {
	got := Happened([]wire.Record{
		happened(1, wire.Event{Who: "test #1", What: "of another scenario", Began: 1}),
		{Kind: wire.Start},
		happened(2, wire.Event{Who: "test #1", What: "Add(a)", Open: true, Began: 1}),
		happened(2, wire.Event{Who: "worker #2", What: "Get()", Open: true, Began: 2}),
		happened(2, wire.Event{Who: "worker #3", What: "Get()", Open: true, Began: 3}),
		happened(2, wire.Event{Who: "test #1", What: "Add(a)", Result: "true", Began: 1, Returned: 4}),
	})
	require.Len(t, got, 3)
	assert.Equal(t, wire.Event{Who: "test", What: "Add(a)", Result: "true", Began: 1, Returned: 4}, got[0])
	assert.Equal(t, "worker #2", got[1].Who)
	assert.True(t, got[2].Open, "a call that never came back")
}

func TestHappenedIsNothingWhereEventsAreMissing(t *testing.T) {
	assert.Empty(t, Happened(nil))
	assert.Empty(t, Happened([]wire.Record{happened(1, wire.Event{Began: 1}), happened(1)}), "the newest were not sent")
}
