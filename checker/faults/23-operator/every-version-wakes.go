//go:build ignore

// Mistake: An update with another resource version has changed something.
// Killed by: own-status-wakes-nobody
// Verdict: wrong-answer

package operator

import "github.com/controllerbook/controllerbook/labs/kit"

func echo(before, after *kit.Database) bool {
	return before.ResourceVersion == after.ResourceVersion
}
