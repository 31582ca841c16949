package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/assembly/operator"
	"github.com/controllerbook/controllerbook/checker/internal/play/cloud"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// rental is an operator, what it has of the API server, and the cloud behind it. The operator
// is no component of the control plane: it would be a deployment of its own.
type rental struct {
	api      operator.API
	cloud    *cloud.Cloud
	lines    *lines
	queues   *queues
	newQueue func() kit.RateLimitingQueue[kit.Request]
	say      func(sentence string)

	mu    sync.Mutex           // guards the fields below
	kill  context.CancelFunc   // of the life under way; nil while it is down
	looks map[kit.Request]look // of this life
	names map[string]string    // of Databases, by their names in the cloud

	made int // belongs to the goroutine that obeys
}

// Shorter than anybody's: nobody wants to watch a cloud for four minutes.
const (
	poll         = 3 * time.Second
	resync       = 20 * time.Second
	restartAfter = 2 * time.Second
)

// run has the operator live again and again, until ctx is done.
func (r *rental) run(ctx context.Context) {
	for ctx.Err() == nil {
		life, kill := context.WithCancel(ctx)
		r.begin(kill)
		err := operator.Run(life, r.options())
		r.begin(nil)
		if kill(); err != nil && ctx.Err() == nil {
			r.say("The operator has ended: " + err.Error())
		}
		select {
		case <-ctx.Done():
		case <-time.After(restartAfter):
		}
	}
}

// begin notes that a life begins, or with nil that none does.
func (r *rental) begin(kill context.CancelFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.kill, r.looks = kill, map[kit.Request]look{}
}

func (r *rental) options() operator.Options {
	queue := r.newQueue()
	r.queues.add("Database", queue)
	return operator.Options{
		API: r.lines.throughTo(r.api), Cloud: r.cloud, Cluster: "play", Queue: queue, Workers: 2,
		Poll: poll, Resync: resync, Around: r.around, OnError: r.failed,
	}
}

// killed ends the life under way in the middle of its work.
func (r *rental) killed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.kill == nil {
		return false
	}
	r.kill()
	return true
}

// look is when a Database is looked at.
type look struct {
	now      bool
	next     time.Time // zero if nothing but an event leads to it
	failures int       // in a row: the queue's backoff decides when the next is
}

// around has the reconciler's calls noted, and what they ask for.
func (r *rental) around(own kit.Reconciler) kit.Reconciler {
	return kit.ReconcilerFunc(func(ctx context.Context, request kit.Request) (result kit.Result, err error) {
		failures := r.note(request, func(last look) look { return look{now: true, failures: last.failures} }).failures
		next := look{failures: failures + 1}
		defer func() { r.note(request, func(look) look { return next }) }() // after a panic, too
		result, err = own.Reconcile(ctx, request)
		if err == nil {
			next = look{}
			if result.RequeueAfter > 0 {
				next.next = time.Now().Add(result.RequeueAfter)
			}
		}
		return result, err
	})
}

func (r *rental) note(request kit.Request, change func(last look) look) look {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looks[request] = change(r.looks[request])
	return r.looks[request]
}

// failed says what no condition does: those name the cloud's errors. That a cache was
// behind, or that somebody has killed the operator, is no mistake.
func (r *rental) failed(request kit.Request, err error) {
	if kit.CloudCodeOf(err) == "" && !kit.IsConflict(err) && !errors.Is(err, context.Canceled) {
		r.say(fmt.Sprintf("The operator, of %s: %v", request.Name, err))
	}
}

// nextLook is when a Database is looked at again, in words.
func (r *rental) nextLook(request kit.Request) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	l, known := r.looks[request]
	switch {
	case r.kill == nil:
		return "down"
	case l.now:
		return "now"
	case l.failures > 0:
		return fmt.Sprintf("retry %d", l.failures)
	case !known || l.next.IsZero():
		return "-"
	}
	left := time.Until(l.next)
	if left <= 0 {
		return "due" // it waits for a worker
	}
	return fmt.Sprintf("in %.0fs", math.Ceil(left.Seconds()))
}
