package replicasettest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	expectationsFile = "expectations.go"
	batchFile        = "batch.go"
	rankingFile      = "ranking.go"
	reconcilerFile   = "reconciler.go"
	claimFile        = "claim.go"
	statusFile       = "status.go"
	staleFile        = "stale.go"
	handlersFile     = "handlers.go"
)

var faults = slices.Concat(forgetting, requesting, claiming, telling, choosing)

// wrong is a fault of a single edit that gives a wrong answer.
func wrong(name, file, mistake, old, new, killedBy string) conform.Fault {
	return conform.Fault{
		Name: name, Mistake: mistake, File: file, Edits: conform.Swap(old, new),
		KilledBy: killedBy, Verdict: verdict.WrongAnswer,
	}
}
