package triggerstest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// hearing is a cluster without apps in which a strategy is notified from within the first Scale.
type hearing struct {
	deaf
	within func()
	large  bool // it was asked to scale an app with a large name
}

func (h *hearing) Scale(key string, n int) error {
	if within := h.within; within != nil {
		h.within = nil
		within()
	}
	h.large = h.large || len(key) > 1<<20
	return h.deaf.Scale(key, n)
}

// keepsNoneBesideNewer has Edge deal with large events, while small ones come that may wait for the
// next Work: more than it has dealt with, or fewer.
func keepsNoneBesideNewer(t *conform.T, s Subject, dealt, newer int) {
	const size = 8 << 20
	h := &hearing{deaf: deaf{"none"}}
	v := s.Edge(h)
	h.within = func() {
		for range newer {
			v.Notify(Event{"small", State{0, 0}, State{1, 0}})
		}
	}
	before := probe.Heap()
	call := t.Call("Notify, %s, of an app with a name of 8 MiB that misses a pod, and Work, whose first Scale notifies of %s of small size", conform.Count(dealt, "time"), conform.Count(newer, "event"))
	for range dealt {
		notifyOfLarge(v, "a", size, 1)
	}
	v.Work()
	call.Returned("")
	kept := probe.Growth(before, size/2)
	t.Require(kept < size/2, "Edge has dealt with %s of 8 MiB in a Work that has returned, and %s of small size came within its first Scale. Edge still holds %d MiB: it keeps no event that it has dealt with, even if newer events wait, and none in the unused part of an array, before the first event that waits or behind the last.", conform.Count(dealt, "event"), conform.Count(newer, "event"), (kept+1<<19)>>20)
	v.Work()
}

// keepsNoneOfDuring has a large event come during a Work, and calls Work once more if that one has not
// dealt with it.
func keepsNoneOfDuring(t *conform.T, s Subject) {
	const size = 8 << 20
	h := &hearing{deaf: deaf{"none"}}
	v := s.Edge(h)
	h.within = func() { notifyOfLarge(v, "a", size, 1) }
	before := probe.Heap()
	call := t.Call("Notify, of an app that misses a pod, and Work, in whose Scale an event with a name of 8 MiB comes; then Work once more, if that event still waits")
	v.Notify(Event{"small", State{0, 0}, State{1, 0}})
	v.Work()
	which := "that Work"
	if !h.large {
		which = "the next Work"
		v.Work()
	}
	call.Returned("")
	kept := probe.Growth(before, size/2)
	t.Require(kept < size/2, "An event of 8 MiB came within a Scale of Work. Edge has dealt with it in %s, which has returned, and still holds %d MiB. It keeps no event that it has dealt with.", which, (kept+1<<19)>>20)
	v.Work()
}
