package priorityqueue

import (
	"container/heap"
	"time"
)

// stage is where a key stands on its way to a worker.
type stage int

const (
	absent  stage = iota // not queued: its entry exists because it is locked
	waiting              // its time has not come
	ready                // it may be handed out, unless it is locked
)

// entry is all that is known of one key. There is one for each key that is queued
// or locked, so that both sources of events, and the worker that has the key,
// meet in the same place and know of each other.
type entry[T comparable] struct {
	key      T
	stage    stage
	locked   bool // handed out by Get and not yet Done
	priority int
	order    uint64    // which of two with the same priority, or the same time, came first
	readyAt  time.Time // while it waits
	index    int       // its place in the line it is in
}

// moreUrgent orders the keys that are ready. Since when they are ready decides
// only among those of one priority (controller-runtime#3330).
func (e *entry[T]) moreUrgent(other *entry[T]) bool {
	if e.priority != other.priority {
		return e.priority > other.priority
	}
	return e.order < other.order
}

// earlier orders the keys that wait.
func (e *entry[T]) earlier(other *entry[T]) bool {
	if !e.readyAt.Equal(other.readyAt) {
		return e.readyAt.Before(other.readyAt)
	}
	return e.order < other.order
}

// line is a heap of entries: the first is always known, the rest is only as sorted
// as it must be. An entry is in one line at a time and knows its place there, so
// that it can be moved or taken out without a search.
type line[T comparable] struct {
	entries []*entry[T]
	before  func(a, b *entry[T]) bool
}

var _ heap.Interface = (*line[string])(nil)

func (l *line[T]) Len() int           { return len(l.entries) }
func (l *line[T]) Less(i, j int) bool { return l.before(l.entries[i], l.entries[j]) }

func (l *line[T]) Swap(i, j int) {
	l.entries[i], l.entries[j] = l.entries[j], l.entries[i]
	l.entries[i].index, l.entries[j].index = i, j
}

// Push is for package heap.
func (l *line[T]) Push(x any) {
	e := x.(*entry[T])
	e.index = len(l.entries)
	l.entries = append(l.entries, e)
}

// Pop is for package heap. The slot is cleared: the slice behind it lives as long
// as the queue does and would keep the key alive (kubernetes#104991).
func (l *line[T]) Pop() any {
	last := len(l.entries) - 1
	e := l.entries[last]
	l.entries[last] = nil
	l.entries = l.entries[:last]
	return e
}
