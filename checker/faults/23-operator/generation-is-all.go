//go:build ignore

// Mistake: Only a new generation is news.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func echo(before, after *kit.Database) bool {
	return before.Generation == after.Generation
}
