package conform

import (
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// maxActorEvents bounds the memory of a log.
const maxActorEvents = 512

// eventLog has the newest events of one actor, and of the older ones the calls that have not
// returned and the breaches.
//
// Many goroutines of a subject may call one fake, and all of them write to its log. An ordinary
// lock would order them, and a race detector sees no race between goroutines that are ordered:
// to write a history down would hide what it is to show. So the lock is hidden from the race
// detector, and functions that touch what it guards are norace. All that the detector learns
// is that who reads a log comes after those who have written to it.
type eventLog struct {
	mu             sync.Mutex // guards the fields below, and in each event what changes
	oldest, newest *event
	count          int
}

// event is a wire.Event, without its texts, and when it began and, if it is a call, returned.
// These two are real times: virtual time stands still while many things happen.
type event struct {
	wire.Event
	what, result    words
	began, returned time.Duration
	next            *event // the younger one
}

//go:norace
func (l *eventLog) add(e *event) {
	hideSync()
	l.mu.Lock()
	e.began = realTime() // under the lock: the order in the log is that of time
	if l.newest == nil {
		l.oldest = e
	} else {
		l.newest.next = e
	}
	l.newest = e
	if l.count++; l.count > maxActorEvents {
		l.trim()
	}
	l.written()
}

// trim forgets the oldest event that nobody will miss. The lock is held.
//
//go:norace
func (l *eventLog) trim() {
	const kept = maxActorEvents / 8
	place := &l.oldest
	for n := 0; n < kept && ((*place).Open || (*place).Broke); n++ {
		place = &(*place).next
	}
	*place = (*place).next
	l.count--
}

// close writes down what a call returned.
//
//go:norace
func (l *eventLog) close(e *event, result words, took time.Duration) {
	hideSync()
	l.mu.Lock()
	e.Open, e.result, e.Took, e.returned = false, result, took, realTime()
	l.written()
}

// written releases the lock. What was written is handed over before that: a reader may have the
// lock next.
//
//go:norace
func (l *eventLog) written() {
	showSync()
	handOver(l)
	hideSync()
	l.mu.Unlock()
	showSync()
}

// events are those of the log, in words.
func (l *eventLog) events() []event {
	all := l.copy()
	takeOver(l)
	for i := range all {
		all[i].What, all[i].Result = all[i].what.String(), all[i].result.String()
	}
	return all
}

//go:norace
func (l *eventLog) copy() []event {
	var all []event
	hideSync()
	l.mu.Lock()
	for e := l.oldest; e != nil; e = e.next {
		all = append(all, *e)
	}
	l.mu.Unlock()
	showSync()
	return all
}
