// Package outcome folds what a test process said and how it ended into one
// verdict. It does no I/O: the same events always give the same result, and its
// tests run on recorded ones.
package outcome

import (
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/goroutine"
	"github.com/controllerbook/controllerbook/checker/internal/syntax"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Location is a place in the learner's code, with a path relative to the root.
type Location struct {
	File string `json:"file"`
	Line int    `json:"line"`
	Func string `json:"func,omitempty"`
}

// Goroutine is one goroutine as a learner reads it.
type Goroutine struct {
	State   string     `json:"state"`            // "chan receive", "sync.Mutex.Lock"…
	At      Location   `json:"at"`               // the learner's innermost line; zero if it runs no code of theirs
	Started Location   `json:"started,omitzero"` // the go statement, where it is the learner's
	Via     []Location `json:"via,omitempty"`    // the learner's calls that led there, innermost first
	Count   int        `json:"count"`            // how many stand at the same place

	On     string   `json:"on,omitempty"`      // what it waits for, as its line says: "q.mu"
	Ways   []string `json:"ways,omitempty"`    // the cases of the select it waits in: "receive from ctx.Done()"
	Within string   `json:"within,omitempty"`  // InCase, or the library's function that its line calls and where it waits
	Holds  []Lock   `json:"holds,omitempty"`   // locks that the functions on its stack have taken and not released
	HeldBy *Holder  `json:"held_by,omitempty"` // who has the lock it waits for
}

// InCase is where a goroutine waits that the learner's line has sent into a function of the
// case: the case lets it wait on purpose.
const InCase = "the case"

// Lock is a lock, as the source names it, and the line that has taken it.
type Lock struct {
	Name string   `json:"name"`
	At   Location `json:"at"`
	Read bool     `json:"read,omitempty"` // for reading
	Key  string   `json:"key,omitempty"`  // of a race, by which the two sides' locks compare: "Queue.mu"
}

// Holder is who has a lock that a goroutine waits for, as far as the stacks tell.
type Holder struct {
	At   Location `json:"at,omitzero"`    // where it stands; zero if no goroutine that is left seems to have the lock
	Lock Location `json:"lock,omitzero"`  // the line that has taken the lock
	Self bool     `json:"self,omitempty"` // it is the goroutine that waits
	Sure bool     `json:"sure,omitempty"` // and the lock is the same one beyond doubt
}

// Access is one side of a data race.
type Access struct {
	Op      string     `json:"op"`                // "write", "read", "atomic write"…, or one of those that have a name below
	At      Location   `json:"at"`                // zero if the detector names no line of the learner's
	Near    bool       `json:"near,omitempty"`    // it may be in a function that is called at At: the detector left that out
	Locked  bool       `json:"rlocked,omitempty"` // it is a write, and its locks are held for reading only
	Within  string     `json:"within,omitempty"`  // InCase, or the library's function that its line calls and where it happened
	Holds   []Lock     `json:"holds,omitempty"`   // locks that the functions on its stack have taken and not released
	Touches string     `json:"touches,omitempty"` // what the lines of both sides name, if that leaves no doubt: "q.items"
	Does    string     `json:"does,omitempty"`    // Appends or Steps, where the line makes the new value of that of the old one
	Via     []Location `json:"via,omitempty"`     // the calls that led there, innermost first, up to an exported function
	Started Location   `json:"started,omitzero"`  // the go statement of its goroutine, if known
	Library bool       `json:"library,omitempty"` // that is a library's, which the learner's line has called
	Main    bool       `json:"main,omitempty"`    // by a goroutine that called the learner's code
	Unseen  bool       `json:"unseen,omitempty"`  // the detector kept no stack of it, or none but a library's
}

// What the two sides of a race inside a WaitGroup are called: an Add that takes the count
// from zero, and a Wait, without an order.
const (
	WaitGroupAdd  = "WaitGroup.Add"
	WaitGroupWait = "WaitGroup.Wait"
)

// What the two sides of a race on a channel, or on a map, are called.
const (
	ChannelClose = "channel close"
	ChannelSend  = "channel send"
	MapWrite     = "map write" // of an entry; a deletion, too
	MapRead      = "map read"  // of an entry, or of all
)

// How a line makes the new value of a variable of its old one.
const (
	Appends = string(syntax.Append)
	Steps   = string(syntax.Step)
)

// Result is how one case ended, ready to be explained.
type Result struct {
	Lab        string          `json:"lab"`
	Case       string          `json:"case"`
	Verdict    verdict.Verdict `json:"verdict"`
	Points     int             `json:"points"`
	Max        int             `json:"max"`
	Message    string          `json:"message,omitempty"` // what happened, one sentence
	Detail     string          `json:"detail,omitempty"`
	At         Location        `json:"at,omitzero"` // where to look
	Goroutines []Goroutine     `json:"goroutines,omitempty"`
	Race       []Access        `json:"race,omitempty"`
	History    []wire.Event    `json:"history,omitempty"`
	Output     string          `json:"output,omitempty"` // what the learner's code printed
	Seed       uint64          `json:"seed"`
	Copy       int             `json:"copy,omitempty"`
	Passed     int             `json:"passed,omitempty"` // of Runs, where a case ran more than once
	Runs       int             `json:"runs,omitempty"`
	Took       time.Duration   `json:"took_ns"`
	CPU        time.Duration   `json:"-"` // processor time of its process
	Raw        string          `json:"-"` // the original text of the runtime and the race detector
}

// Raw is everything known about the process of one case.
type Raw struct {
	Records  []wire.Record // of this run: nonce checked
	Exit     int
	Signal   string
	Stdout   string
	Stderr   string
	TimedOut bool
	Flooded  bool
	Wall     time.Duration
	CPU      time.Duration
	Seed     uint64
}

// Target is what a process ran: a case, and the learner's source that it was put to.
type Target struct {
	Lab     string
	Case    conform.Meta
	Paths   []string            // package directories, the lab's own first: "labs/01-goroutines"
	Decls   map[string]Location // the learner's declarations: "Gather", "Pump.Add"
	Lits    []Span              // the learner's function literals
	Sources map[string]Source   // the learner's files, by path
}

// Source is what is to be known of a file's text.
type Source struct {
	Ops     []syntax.Op
	Closes  []syntax.Op
	Held    []syntax.Held
	Touches []syntax.Touch
}

// Span is the lines of a function.
type Span struct {
	File       string
	Start, End int
}

// begun is where goroutine g was started, if code of the learner's has started it. What
// WaitGroup.Go or AfterFunc starts has no go statement of the learner's: then it is the
// head of the function literal at the bottom of its stack.
func (t Target) begun(g goroutine.Goroutine) Location {
	switch {
	case g.Creator.In(t.pkgs()...):
		return t.locate(g.Creator)
	case starters[g.Creator.Func]:
		return t.bottom(g.Frames)
	}
	return Location{}
}

// starters are the functions that do nothing else than start a goroutine for their caller.
var starters = map[string]bool{
	"sync.(*WaitGroup).Go": true, "time.goFunc": true, "context.(*afterFuncCtx).cancel.func1": true, "context.(*afterFuncCtx).cancel": true,
	"golang.org/x/sync/errgroup.(*Group).Go": true, "golang.org/x/sync/errgroup.(*Group).TryGo": true,
}

// bottom is the head of the learner's function literal that a goroutine runs.
func (t Target) bottom(frames []goroutine.Frame) Location {
	for _, f := range slices.Backward(frames) {
		if f.In(t.pkgs()...) {
			return t.literal(t.locate(f))
		}
	}
	return Location{}
}

// literal is the head of the innermost function literal around a place.
func (t Target) literal(at Location) Location {
	best := Span{}
	for _, s := range t.Lits {
		if s.File == at.File && s.Start <= at.Line && at.Line <= s.End && s.Start > best.Start {
			best = s
		}
	}
	if best.Start == 0 {
		return Location{}
	}
	return Location{File: best.File, Line: best.Start, Func: at.Func}
}

// Module is the prefix that -trimpath leaves before a file of the workbook.
const Module = "github.com/controllerbook/controllerbook"

// pkgs are the import paths of the subject's packages.
func (t Target) pkgs() []string {
	pkgs := make([]string, len(t.Paths))
	for i, p := range t.Paths {
		pkgs[i] = Module + "/" + p
	}
	return pkgs
}

// innermost is the learner's innermost frame. A literal of another package that was inlined
// into a function of the learner's has that function's name, and a line of no use to them:
// it counts only where there is no other.
func (t Target) innermost(frames []goroutine.Frame) (goroutine.Frame, bool) {
	var inlined goroutine.Frame
	for _, f := range frames {
		switch {
		case !f.In(t.pkgs()...):
		case strings.HasPrefix(f.File, Module+"/"):
			return f, true
		case inlined.Func == "":
			inlined = f
		}
	}
	return inlined, inlined.Func != ""
}

// locate turns a frame into a place the learner can open.
func (t Target) locate(f goroutine.Frame) Location {
	if f.Func == "" {
		return Location{}
	}
	fn := f.Func
	for _, pkg := range t.pkgs() {
		fn = strings.TrimPrefix(fn, pkg+".")
	}
	known := func(name string) bool {
		_, ok := t.Decls[name]
		return ok
	}
	return Location{File: strings.TrimPrefix(f.File, Module+"/"), Line: f.Line, Func: written(fn, known)}
}
