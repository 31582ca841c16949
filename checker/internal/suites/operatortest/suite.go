// Package operatortest is the conformance suite of lab 23.
//
// The subject stands between two neighbours that the suite plays: an API server whose
// Databases have a status subresource, with caches that take in its events when the case
// says so; and a cloud whose work takes virtual minutes, whose GetDatabase may be behind, and
// which throttles, refuses, goes down and loses answers. The cloud keeps a journal, and each
// call that no Database would account for is a breach, at the moment of the call.
//
// Left open, because a learner may choose: whether a Reconcile goes on after it has written the
// finalizer or comes back for the rest; whether an answer that says that a cache was behind is an
// error; how often the cloud is asked for what it has begun already; texts of conditions and
// errors; the name of an index; what becomes of a LastTransitionTime that nobody has set; whether
// a Reconcile reads a Secret twice; whether an ObservedGeneration of the status that is greater is taken back; whether the error of
// a status is returned beside that of the cloud; what a cache makes of an index that fails; the
// beginning of a deletion at the same generation, which no API server sends.
//
// What it can miss: two operators at work at the same time, as when a leader does not know
// that it has lost its lease; a cache that goes back in time and shows an old password; a
// Reconcile that is slow; a race between Reconciles that 16 copies do not meet.
package operatortest

import (
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Reconciler is the subject's DatabaseReconciler.
type Reconciler interface {
	kit.Reconciler
	DatabaseHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Database]
	SecretHandler(enqueue func(kit.Request)) kit.ResourceEventHandler[*kit.Secret]
}

// Options are the subject's, field by field.
type Options struct {
	Databases     kit.Client[*kit.Database]
	Status        kit.StatusClient[*kit.Database]
	Secrets       kit.Client[*kit.Secret]
	DatabaseCache kit.Indexer[*kit.Database]
	SecretCache   kit.Indexer[*kit.Secret]
	Cloud         kit.Cloud
	Cluster       string
	Poll, Resync  time.Duration
}

// Subject is lab 23 as the suite sees it.
type Subject struct {
	New          func(o Options) Reconciler
	SetCondition func(conditions *[]kit.Condition, c kit.Condition) bool
}

// The words of the lab that are given, as the stub has them.
const (
	finalizer = "databases.book.example/cloud"

	ready  = "Ready"
	synced = "Synced"

	available       = "Available"
	creating        = "Creating"
	deleting        = "Deleting"
	inSync          = "InSync"
	cloudError      = "CloudError"
	nameTaken       = "NameTaken"
	failed          = "Failed"
	lost            = "Lost"
	engineChanged   = "EngineChanged"
	passwordMissing = "PasswordMissing"
	invalid         = "Invalid"
	secretTaken     = "SecretTaken"
)

// Lab describes lab 23 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "23-operator",
		Title:   "The operator",
		Builds:  "a custom resource whose real thing is in a cloud: never leaked, never made twice",
		Files:   []string{"options.go", "condition.go", "reconciler.go", "deletion.go", "status.go", "connection.go", "handlers.go"},
		Imports: []string{"encoding/json", "time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases are the claims.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
