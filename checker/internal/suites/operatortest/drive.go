package operatortest

import (
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// drive does for a while what a controller does: it reconciles what is enqueued, what has failed
// and what is due, in caches that have taken in everything. It returns how often it called
// Reconcile.
func (w *world) drive(d time.Duration) int { return w.driveWhile(d, func() bool { return true }) }

// driveWhile is drive until alive says no.
func (w *world) driveWhile(d time.Duration, alive func() bool) int {
	const many = 300 // more than anybody needs at one moment
	end, called, atOnce := time.Now().Add(d), 0, 0
	for alive() {
		w.catchUp()
		for _, request := range w.takeQueued() {
			w.due[request] = time.Now()
		}
		request, at, any := earliest(w.due)
		if !any || at.After(end) {
			break
		}
		if wait := time.Until(at); wait > 0 {
			time.Sleep(wait)
			atOnce = 0
			continue // something may have been enqueued meanwhile
		}
		atOnce++
		w.t.Require(atOnce < many, "Reconcile(%s) was called %d times without any time passing, and still there is more to do: it wakes itself.", request, many)
		w.once(request)
		called++
	}
	if rest := time.Until(end); rest > 0 && alive() {
		time.Sleep(rest)
	}
	return called
}

// once reconciles one request, and notes when it comes again.
func (w *world) once(request kit.Request) {
	delete(w.due, request)
	before := time.Now()
	result, err := w.reconcileAs(w.t.Actor, w.t.Context(), request.Name)
	took := time.Since(before)
	w.t.Require(took == 0, "The calls that Reconcile(%s) makes take no time here, and it took %v. It waits for nothing else: it asks to be called again.", request, took)
	w.sound()
	switch {
	case err != nil && kit.IsTerminal(err):
	case err != nil, result.Requeue && result.RequeueAfter <= 0:
		w.due[request] = time.Now().Add(time.Second << min(w.failures[request], 8))
		w.failures[request]++
		return
	case result.RequeueAfter > 0:
		w.due[request] = time.Now().Add(result.RequeueAfter)
	}
	w.failures[request] = 0
}

func (w *world) takeQueued() []kit.Request {
	w.mu.Lock()
	defer w.mu.Unlock()
	requests := []kit.Request{}
	for request := range w.queued {
		requests = append(requests, request)
	}
	clear(w.queued)
	return requests
}

// earliest is the request that is due first; of two, that with the smaller name.
func earliest(due map[kit.Request]time.Time) (first kit.Request, at time.Time, any bool) {
	for request, t := range due {
		if !any || t.Before(at) || t.Equal(at) && request.Name < first.Name {
			first, at, any = request, t, true
		}
	}
	return first, at, any
}
