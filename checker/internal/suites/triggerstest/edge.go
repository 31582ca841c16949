package triggerstest

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// series are rows of events of one app that somebody might take together or leave out.
func series() []Event {
	var events []Event
	states := func(key string, states ...State) { // each event goes on where the one before it ends
		for i := range len(states) - 1 {
			events = append(events, Event{key, states[i], states[i+1]})
		}
	}
	for range 5 { // equal ones
		states("a", State{2, 2}, State{3, 2})
	}
	states("b", State{3, 3}, State{5, 3}, State{3, 3})                           // there and back
	states("b", State{3, 3}, State{3, 2}, State{3, 3}, State{3, 2})              // and there again
	states("c", State{1, 1}, State{2, 1}, State{4, 1}, State{7, 1})              // on and on
	states("c", State{7, 1}, State{9, 3}, State{9, 0})                           // the first needs no Scale
	states("d", State{0, 0}, State{1, 0})                                        // an app comes
	states("a", State{2, 2}, State{3, 2})                                        // as before, with others between them
	states("d", State{1, 0}, State{0, 0}, State{0, 1}, State{0, 0})              // and goes
	states("e", State{0, 0}, State{0, -1}, State{-1, -2}, State{-3, 1}, State{}) // below zero
	return events
}

// actsOnEach notifies Edge of the series again and again before one Work, in which every Scale
// succeeds or every one fails.
func actsOnEach(t *conform.T, k kind, fails bool) {
	c := newCluster(t, map[string]State{})
	c.silent = true
	events := series()
	times, outcome := 40, "succeeds"
	if fails {
		times, outcome = 15, "fails" // the cluster lets fewer than endless fail
	}
	for _, e := range events {
		c.broken[e.Key] = fails
	}
	v := start(t, k, c)
	call := t.Call("Notify, %d times, of these events (running/desired): %s", times, notices(events))
	var due []string
	var from []int // which event is behind each of these calls
	for i := range times * len(events) {
		e := events[i%len(events)]
		if n := e.New.missing() - e.Old.missing(); n != 0 {
			due, from = append(due, fmt.Sprintf("Scale %s %d", e.Key, n)), append(from, i)
		}
		v.Notify(e)
	}
	call.Returned("")
	v.work()
	got := c.askedInOrder()
	for i := range due {
		next := "no call"
		if i < len(got) {
			next = got[i]
		}
		e := events[from[i]%len(events)]
		t.Require(next == due[i], "%d events were noted, and every Scale %s. Call %d that Edge made in Work was [%s], and should be [%s], for the event %s (running/desired), which is number %d and came after %s: Edge acts on every event, each once, in the order in which they were noted, whatever the others are and whether or not a Scale fails.",
			times*len(events), outcome, i+1, next, due[i], notice(e), from[i]+1, before(events, from[i]))
	}
	t.Require(len(got) == len(due), "%d events were noted, and every Scale %s. Edge called Scale %d times in Work, and should %d times, once for each event that changes Missing.", times*len(events), outcome, len(got), len(due))
}

func before(events []Event, i int) string {
	if i == 0 {
		return "no other"
	}
	return notice(events[(i-1)%len(events)])
}

func notices(events []Event) string {
	var texts []string
	for _, e := range events {
		texts = append(texts, fmt.Sprintf("%s: %v -> %v", e.Key, e.Old, e.New))
	}
	return strings.Join(texts, ", ")
}
