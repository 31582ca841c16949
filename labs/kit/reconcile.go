package kit

import (
	"context"
	"errors"
	"time"
)

// Request names the object to reconcile (controller-runtime reconcile.Request). It
// says nothing of what has happened: a Reconciler looks for itself.
type Request struct{ Namespace, Name string }

// String is the key of the object, as Key gives it.
func (r Request) String() string {
	if r.Namespace == "" {
		return r.Name
	}
	return r.Namespace + "/" + r.Name
}

// RequestFor names obj.
func RequestFor(obj Object) Request { return Request{obj.GetNamespace(), obj.GetName()} }

// Result says when to reconcile again though nothing fails (reconcile.Result). It
// counts only where there is no error.
type Result struct {
	// RequeueAfter, if greater than zero, is how long from now. The rate limiter
	// has no say in it.
	RequeueAfter time.Duration
	// Requeue asks for another try as after an error: when the rate limiter
	// allows. RequeueAfter goes before it. Deprecated upstream: it counts success
	// as failure. Say how long, or return an error.
	Requeue bool
	// Priority of that next try; nil keeps what the request had. It counts only
	// where the queue knows priorities.
	Priority *int
}

// Reconciler brings the world nearer to what one object asks for (reconcile.Reconciler).
// It is never called twice at once for one Request, and must come to the same end
// however often and for whatever reason it is called.
type Reconciler interface {
	Reconcile(ctx context.Context, request Request) (Result, error)
}

// ReconcilerFunc is a Reconciler made of a function (reconcile.Func).
type ReconcilerFunc func(ctx context.Context, request Request) (Result, error)

// Reconcile calls f.
func (f ReconcilerFunc) Reconcile(ctx context.Context, request Request) (Result, error) {
	return f(ctx, request)
}

// TerminalError wraps an error that no further try can fix: a controller reports it
// and does not try again until the object changes (reconcile.TerminalError).
func TerminalError(err error) error { return &terminalError{err} }

// IsTerminal reports whether err is or wraps a TerminalError. Upstream asks
// errors.Is(err, reconcile.TerminalError(nil)).
func IsTerminal(err error) bool {
	var t *terminalError
	return errors.As(err, &t)
}

type terminalError struct{ err error }

func (t *terminalError) Unwrap() error { return t.err }

func (t *terminalError) Error() string {
	if t.err == nil {
		return "nil terminal error"
	}
	return "terminal error: " + t.err.Error()
}
