package outcome

import (
	"cmp"
	"slices"
	"strings"
)

// ByCause sorts groups of goroutines: the likely causes before those that wait for them.
func ByCause(groups []Goroutine) []Goroutine {
	sorted := slices.Clone(groups)
	slices.SortStableFunc(sorted, func(a, b Goroutine) int { return cmp.Compare(rank(a), rank(b)) })
	return sorted
}

// rank puts first the goroutine that is likeliest to block the others: one that sleeps, or that
// holds a lock while it waits for something else, then one that waits for a channel, then one
// that waits for a lock. One that only waits to be cancelled blocks nobody.
func rank(g Goroutine) int {
	switch {
	case g.At.Line == 0:
		return 5
	case g.Idle():
		return 4
	case g.State == "sync.WaitGroup.Wait" || strings.HasPrefix(g.State, "synctest."):
		return 3
	case g.OnLock() && len(g.Holds) == 0 && (g.HeldBy == nil || !g.HeldBy.Self):
		return 2
	case g.State == "sleep", len(g.Holds) > 0:
		return 0
	}
	return 1
}

// Idle reports whether the goroutines wait for the end of a context and for nothing else.
func (g Goroutine) Idle() bool {
	return g.State == "chan receive" && strings.HasSuffix(g.On, ".Done()")
}

// OnLock reports whether the goroutines wait for a lock of the learner's.
func (g Goroutine) OnLock() bool {
	return g.Within == "" && (strings.HasPrefix(g.State, "sync.Mutex") || strings.HasPrefix(g.State, "sync.RWMutex") || g.State == "semacquire")
}
