package conform

import (
	"cmp"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// A panic on a goroutine that the subject has started ends the process at once: nobody can
// recover it there, and what the process holds is lost. So the checker runs such a case once
// more and asks for each event as it happens. That takes a system call for each, which orders
// goroutines that nothing else orders: the verdict is that of the first run.

// live sends the events of one scenario as they happen. A nil one sends nothing.
type live struct {
	scenario int
	moments  atomic.Int64 // how many events have begun and calls returned
	actors   atomic.Int64 // how many have a name
}

// maxLive is how many moments are sent of a scenario. Of one with more nobody would get to see
// those that matter, the newest, and so there is no history of it.
const maxLive = 4000

// sender makes what sends the events of the next scenario, nil if nobody asked for that.
func (r *run) sender() *live {
	if !r.config.Live {
		return nil
	}
	return &live{scenario: int(r.scenarios.Add(1))}
}

// name is that of a new actor: others may have the same.
func (l *live) name(who string) string {
	if l == nil {
		return who
	}
	return fmt.Sprintf("%s #%d", who, l.actors.Add(1))
}

// begins sends an event that has just been added to a log.
func (l *live) begins(who string, e *event) {
	if l == nil {
		return
	}
	e.Began = int(l.moments.Add(1)) // history numbers its events itself
	l.send(who, e.Event, e.what, words{})
}

// returns sends an event again, of a call that has come back.
func (l *live) returns(who string, e *event, result words, took time.Duration) {
	if l == nil {
		return
	}
	done := e.Event
	done.Open, done.Took, done.Returned = false, took, int(l.moments.Add(1))
	l.send(who, done, e.what, result)
}

func (l *live) send(who string, e wire.Event, what, result words) {
	rec := wire.Record{Kind: wire.Happened, Scenario: l.scenario}
	if n := max(e.Began, e.Returned); n < maxLive {
		e.Who, e.What, e.Result = who, what.String(), result.String()
		rec.History = []wire.Event{e}
	} else if n > maxLive {
		return
	}
	wire.Send(rec)
}

// Happened is the history of the newest scenario of which there are records, as far as it got.
func Happened(records []wire.Record) []wire.Event {
	latest := 0
	for _, rec := range records {
		latest = max(latest, rec.Scenario)
	}
	var all []event
	at := map[int]int{} // where an event is, by its beginning
	for _, rec := range records {
		switch {
		case rec.Kind != wire.Happened || rec.Scenario != latest:
			continue
		case len(rec.History) == 0:
			return nil
		}
		e := event{Event: rec.History[0], began: time.Duration(rec.History[0].Began), returned: time.Duration(rec.History[0].Returned)}
		if i, again := at[e.Began]; again {
			all[i] = e
			continue
		}
		at[e.Began] = len(all)
		all = append(all, e)
	}
	slices.SortFunc(all, func(x, y event) int { return cmp.Compare(x.began, y.began) })
	events := number(newest(all))
	wire.Unnumber(len(events), func(i int) *string { return &events[i].Who })
	return events
}
