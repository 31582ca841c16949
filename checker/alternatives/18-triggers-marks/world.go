// Package triggers is lab 18 with a mark for each app in a sync.Map, which Notify sets and Work takes
// away, and a linked list behind a lock made of a channel.
package triggers

import "errors"

// This file is given whole: the types that the other files use.

// State is one app in the cluster.
//
// Both numbers may fall below zero. A controller that stops a pod which does not
// exist owes one, and an error stays visible at its full size.
type State struct {
	Desired int // how many pods its user wants
	Running int // how many there are
}

// Missing returns how many pods have to be started, or, below zero, stopped.
func (s State) Missing() int { return s.Desired - s.Running }

// Event is one notification: somebody changed the app Key from Old to New. By the
// time it arrives the app may look different. Key may be any string but
// the empty one, as every key in this lab.
type Event struct {
	Key      string
	Old, New State
}

// Cluster is what a Strategy may see of the world and do to it. Reading and writing
// have a cost; Simulate counts both. A Cluster has no lock: one goroutine at a time
// may use it.
type Cluster interface {
	// Keys lists every app the cluster knows, each once, in any order. The caller may
	// keep the slice and change it. Between two calls a cluster may forget an app; that of
	// Simulate never does.
	Keys() []string
	// Get reads the latest state of one app. An unknown app has the zero State.
	Get(key string) State
	// Scale starts n pods of the app, or stops -n. If it returns an error, nothing has
	// happened.
	Scale(key string, n int) error
}

// ErrDown is what Scale returns while the simulated cluster takes no writes.
var ErrDown = errors.New("the cluster takes no writes")

// Strategy decides what to do about notifications.
//
// Notify may be called from any goroutine at any time: while Work is under way,
// and even from within a call that Work makes on the cluster. One goroutine at a
// time calls Work, again and again, whether or not there was a notification.
//
// A call that has to wait for another one blocks, as Lock of a sync.Mutex does: it does not
// go round a loop until the other is done.
//
// A Strategy is never closed. So neither making one nor a call of its methods starts a
// goroutine that outlives the call.
type Strategy interface {
	Notify(e Event)
	Work()
}

// Change is something that others do to the cluster: a user asks for more pods, a
// node dies and takes some of them down with it.
type Change struct {
	At      int    // the step in which it happens
	Key     string // the app it happens to
	Desired int    // added to the app's Desired
	Running int    // added to the app's Running

	// Delays is the fate of its notification. For each element one copy arrives, that
	// many steps after the change. With no element it is lost, with two it is doubled,
	// and with a longer delay than that of the next change it arrives after that one.
	// No delay is below zero.
	Delays []int
}

// Plan is a world and everything that happens in it.
type Plan struct {
	Steps   int              // how many steps there are: 0 to Steps-1; not below zero
	Start   map[string]State // the apps that stand before the first step; may be nil
	Changes []Change         // in any order

	// Down are the steps in which every Scale fails, in any order. One may stand there
	// twice, or be later than the last step. None is below zero.
	Down []int
}

// Report is how a Plan ended, and what it cost.
type Report struct {
	Drift     int // at the end: the pods that are missing or too many, summed over the apps
	Lag       int // the drift at the end of each step, summed over the steps
	Settled   int // the first step from which on every step ends without drift; -1 if there is none
	Delivered int // notifications that arrived, copies counted
	Lists     int // calls of Keys
	Reads     int // calls of Get
	Writes    int // calls of Scale, failed ones too
}

// Converged reports whether every app ended as its user wants it.
func (r Report) Converged() bool { return r.Drift == 0 }
