package timeline

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// drain is a queue whose ShutDown does not call off two drains.
var drain = []wire.Event{
	{Who: "test", What: `Add("a")`, Began: 1, Returned: 2},
	{Who: "drainer", What: "ShutDownWithDrain()", Open: true, Began: 3},
	{Who: "drainer", What: "ShutDownWithDrain()", Open: true, Began: 4},
	{Who: "test", What: "ShutDown()", At: time.Hour, Began: 5, Returned: 6},
	{Who: "test", What: "a drain still waits", At: time.Hour, Began: 7, Broke: true},
}

func TestEveryBeginningAndReturnHasAPlace(t *testing.T) {
	c := New(drain, 0)
	assert.Len(t, c.Moments, 7)
	assert.Equal(t, []Lane{
		{Who: "test", Rows: 1, Bars: []Bar{
			{Kind: Call, From: 0, To: 1, What: `Add("a")`},
			{Kind: Call, From: 4, To: 5, What: "ShutDown()", At: time.Hour},
			{Kind: Broke, From: 6, To: 6, At: time.Hour},
		}},
		{Who: "drainer", Rows: 2, Bars: []Bar{
			{Kind: Open, From: 2, To: 6, What: "ShutDownWithDrain()"},
			{Kind: Open, From: 3, To: 6, What: "ShutDownWithDrain()", Row: 1},
		}},
	}, c.Lanes)
	var from []int
	for _, b := range c.Bars() {
		from = append(from, b.From)
	}
	assert.Equal(t, []int{0, 2, 3, 4, 6}, from)
}

func TestOneInstantIsSpreadAndAnIdleHourIsSqueezed(t *testing.T) {
	c := New(drain, 0)
	for i := 1; i < 4; i++ {
		assert.Equal(t, Moment{X: float64(i)}, c.Moments[i])
	}
	assert.Equal(t, Moment{At: time.Hour, X: 6, New: true, Gap: time.Hour}, c.Moments[4])
	assert.Equal(t, 8.0, c.Width())
}

func TestEvenTimesAreNotSqueezed(t *testing.T) {
	var ticks []wire.Event
	for i := range 5 {
		ticks = append(ticks, wire.Event{Who: "test", At: time.Duration(i) * time.Second, Began: i + 1})
	}
	for _, m := range New(ticks, 0).Moments {
		assert.Zero(t, m.Gap)
		assert.True(t, m.New)
	}
}

func TestTheLastEventsAreKeptAndWhatNeverReturned(t *testing.T) {
	c := New(drain, 1)
	assert.Equal(t, 2, c.Earlier)
	assert.Len(t, c.Moments, 3)
	assert.Equal(t, "drainer", c.Lanes[1].Who)
}

func TestNoHistoryIsEmpty(t *testing.T) {
	assert.True(t, New(nil, 10).Empty())
	assert.Zero(t, New(nil, 10).Width())
}

// Results that an earlier checker has written have no places.
func TestWithoutPlacesTheOrderStays(t *testing.T) {
	c := New([]wire.Event{{Who: "b", What: "first"}, {Who: "a", What: "second"}}, 0)
	assert.Equal(t, "b", c.Lanes[0].Who)
	assert.Equal(t, 0, c.Lanes[0].Bars[0].From)
	assert.Equal(t, 1, c.Lanes[1].Bars[0].From)
}

func TestLanesAreInTheOrderInWhichWorkFlows(t *testing.T) {
	var events []wire.Event
	for i, who := range []string{"cloud", "worker 1", "queue", "pods informer", "pods cache", "watch 1", "server", "client", "test"} {
		events = append(events, wire.Event{Who: who, Began: i + 1})
	}
	var names []string
	for _, l := range New(events, 0).Lanes {
		names = append(names, l.Who)
	}
	assert.Equal(t, []string{"test", "client", "server", "watch 1", "pods cache", "pods informer", "queue", "worker 1", "cloud"}, names)
}

func TestANumberTellsNamesakesApart(t *testing.T) {
	names := func(who ...string) (names []string) {
		var events []wire.Event
		for i, w := range who {
			events = append(events, wire.Event{Who: w, Began: i + 1})
		}
		for _, l := range New(events, 0).Lanes {
			names = append(names, l.Who)
		}
		return names
	}
	assert.Equal(t, []string{"drainer", "worker #1", "worker #2"}, names("worker #1", "drainer #2", "worker #2"))
}
