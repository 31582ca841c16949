//go:build race

package libgcc

// popcount calls __popcountdi2 as C would, for the test.
func popcount(x uint64) int32
