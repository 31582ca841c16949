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

// rank puts first the goroutine that is likeliest to block the others: one that sleeps, then
// one that waits for a channel and may hold a lock meanwhile, then one that waits for a lock.
func rank(g Goroutine) int {
	switch {
	case g.At.Line == 0:
		return 4
	case g.State == "sync.WaitGroup.Wait" || strings.HasPrefix(g.State, "synctest."):
		return 3
	case g.OnLock():
		return 2
	case g.State == "sleep":
		return 0
	}
	return 1
}

// OnLock reports whether the goroutines wait for a lock.
func (g Goroutine) OnLock() bool {
	return strings.HasPrefix(g.State, "sync.Mutex") || strings.HasPrefix(g.State, "sync.RWMutex") || g.State == "semacquire"
}
