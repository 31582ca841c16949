package informertest

import (
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// beat is when the updates of resyncs are due. It marks the first that comes at another time.
type beat struct {
	from   time.Duration // what want is counted from, since the case began
	want   []time.Duration
	came   int
	broken string // how the first differs
	open   bool
}

// comes notes an update. The caller holds the lock that guards the beat.
func (b *beat) comes(a *conform.Actor, now time.Duration) {
	if !b.open || b.broken != "" {
		return
	}
	at := now - b.from
	switch b.came++; {
	case b.came > len(b.want):
		b.broken = fmt.Sprintf("update %d came after %v, and no more were due", b.came, at)
	case at < b.want[b.came-1]:
		b.broken = fmt.Sprintf("update %d came after %v, too early: %v was due", b.came, at, b.want[b.came-1])
	case at > b.want[b.came-1]:
		b.broken = fmt.Sprintf("update %d came after %v, too late: %v was due", b.came, at, b.want[b.came-1])
	}
	if b.broken != "" {
		a.Breaks("%s", b.broken)
	}
}

// expectUpdates says when updates are due, counted from now.
func (r *recorder) expectUpdates(want ...time.Duration) *recorder {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.beat = beat{from: r.now(), want: want, open: true}
	return r
}

// updatedAsDue ends the case if an update did not come when expectUpdates has said. The
// sentence says which rule that breaks.
func (r *recorder) updatedAsDue(t *conform.T, sentence string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	b := &r.beat
	b.open = false
	if b.broken == "" && b.came < len(b.want) {
		b.broken = fmt.Sprintf("update %d was due after %v, and did not come. The %d before it came as they were due", b.came+1, b.want[b.came], b.came)
	}
	if b.broken != "" {
		t.Fatalf("%s For the handler %q, %s.", sentence, r.name, b.broken)
	}
}
