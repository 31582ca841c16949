package timeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// polling is a controller that polls so often, and then hears something else.
func polling(rounds int) []wire.Event {
	var events []wire.Event
	for i := range rounds {
		at, n := time.Duration(i)*time.Second, 4*i
		events = append(events,
			wire.Event{Who: "test", What: "Reconcile(a)", Result: "in 1s", At: at, Began: n + 1, Returned: n + 4},
			wire.Event{Who: "cloud", What: "Get(a)", Result: "creating", At: at, Began: n + 2, Returned: n + 3})
	}
	n := 4 * rounds
	return append(events,
		wire.Event{Who: "test", What: "Reconcile(a)", Result: "done", At: time.Hour, Began: n + 1, Returned: n + 4},
		wire.Event{Who: "cloud", What: "Get(a)", Result: "available", At: time.Hour, Began: n + 2, Returned: n + 3})
}

func TestRoundsAreFolded(t *testing.T) {
	events := fold(polling(9))
	assert.Len(t, events, 2+1+2+2)
	assert.Equal(t, wire.Event{Who: "test", What: "… and the same 7 times more", At: time.Second, Began: 5}, events[2])
	assert.Equal(t, 8*time.Second, events[3].At, "the last one stays")
	assert.Equal(t, "available", events[6].Result)

	c := New(polling(9), 40)
	assert.Zero(t, c.Earlier, "what is folded is not left out")
	assert.Len(t, c.Lanes, 2)
}

func TestARoundIsNoShorterThanItHasToBe(t *testing.T) {
	events := polling(9)
	for i := range 6 {
		events[i].At = 0 // three of them at one moment
	}
	folded := fold(events)
	assert.Len(t, folded, 4+2+1+2+2)
	assert.Equal(t, "… and the same 5 times more", folded[6].What)
}

func TestWhatIsNotFolded(t *testing.T) {
	assert.Equal(t, polling(3), fold(polling(3)), "there is nothing to gain")

	still := polling(9)
	for i := range still {
		still[i].At = 0
	}
	assert.Equal(t, still, fold(still), "what comes often at one moment may be what the case is about")

	for name, change := range map[string]func(e *wire.Event){
		"broke":  func(e *wire.Event) { e.Broke = true },
		"open":   func(e *wire.Event) { e.Open = true },
		"answer": func(e *wire.Event) { e.Result = "another" },
		"moment": func(e *wire.Event) { e.Returned++ },
	} {
		events := polling(5)
		change(&events[4])
		assert.Equal(t, events, fold(events), name)
	}
	assert.Empty(t, fold(nil))
}
