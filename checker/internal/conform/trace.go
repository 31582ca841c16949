package conform

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// trace is the history of a case that passed, if the checker asked for it: that of the
// scenario in which most happened.
func (r *run) trace() []wire.Event {
	if !r.config.Trace || r.hasFailed() {
		return nil
	}
	live := r.underWay()
	r.mu.Lock()
	longest := r.retired
	r.mu.Unlock()
	for _, t := range live {
		if h := t.History(); len(h) > len(longest) {
			longest = h
		}
	}
	return longest
}

// underWay are the scenarios that have not ended, the newest last.
func (r *run) underWay() []*T {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.live)
}

// retire forgets a scenario that has ended, but for the longest history of those.
func (r *run) retire(t *T) {
	var past []wire.Event
	if r.config.Trace {
		past = t.History()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.live = slices.DeleteFunc(r.live, func(o *T) bool { return o == t })
	if len(past) > len(r.retired) {
		r.retired = past
	}
}
