// Package wire is how a test process and the checker talk: over one socket, the
// process's descriptor 3. The checker sends one Config, the process answers with
// Records.
//
// Standard output and standard error are the subject's own. They are kept as data and
// never read for results, because any submission can print "--- PASS". Standard input
// is empty.
//
// Every record carries the nonce of its run, so a submission that writes to descriptor
// 3 has nothing to sign with as long as it does not know the nonce. Code of the subject
// may run before this package reads the Config: packages initialise as soon as what
// they import is ready, and a subject does not import wire. What keeps the nonce from
// it is therefore not the order of initialisation, but this:
//
//   - A lab's code cannot turn a number into a descriptor: os, syscall and unsafe are
//     refused by the gate. fmt.Scan reads standard input, net.FileConn wants an
//     *os.File.
//   - An *os.File that comes from a path, as http.Dir gives one, does not help: Linux
//     opens no socket through /proc/self/fd. A pipe it would open.
//   - The checker sends nothing after the Config, and this package is the only one that
//     keeps a file of the descriptor.
//
// Code that can open /proc/self/mem reads its whole process, the nonce too. A confined
// process cannot; a process that is not confined runs its owner's code.
package wire

import (
	"encoding/json"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/printable"
)

// Env names the variable that tells a program that it is run by the checker.
const Env = "CONTROLLERBOOK_WIRE"

// Config is what the checker asks of one test process.
type Config struct {
	Nonce    string   `json:"nonce"`
	Place    int      `json:"place,omitempty"`     // of the bridge, in a program with several
	Cases    []Order  `json:"cases"`               // run in this order; more than one are a group
	Copies   int      `json:"copies"`              // how many copies of a concurrency scenario run side by side
	CPU      int      `json:"cpu_seconds"`         // processor time after which the case counts as a livelock
	Memory   int64    `json:"memory_bytes"`        // heap bytes after which it counts as out of memory
	NoBubble bool     `json:"no_bubble,omitempty"` // second look: run timed cases on the real clock
	Trace    bool     `json:"trace,omitempty"`     // send the history of a case that passes, too
	Live     bool     `json:"live,omitempty"`      // send each event as it happens: the process is expected to die
	Subjects []string `json:"subjects"`            // import paths of the packages under test
}

// Order asks for one case.
type Order struct {
	Case string `json:"case"`
	Seed uint64 `json:"seed"`
}

// Grouped reports whether several cases share the process. It then ends at the first sign
// of anything but a pass: its cases run again, alone.
func (c Config) Grouped() bool { return len(c.Cases) > 1 }

// Kind says what a Record reports.
type Kind string

// The kinds of record. A case that passed sent Start and End with Passed set,
// and nothing in between. The End has its history where Config.Trace asked for it.
const (
	Start    Kind = "start"
	Failure  Kind = "failure"  // a rule was broken
	Crash    Kind = "crash"    // the case's own goroutine panicked; the process is about to say so too
	Stuck    Kind = "stuck"    // everything is blocked
	Hung     Kind = "hung"     // a synctest bubble cannot tell: someone sleeps while a lock is waited for
	Spinning Kind = "spinning" // the processor budget is spent, or all that wakes up waits again; Message says which
	Memory   Kind = "memory"   // the heap limit is passed
	Leak     Kind = "leak"     // goroutines of the subject outlived the case
	Happened Kind = "happened" // one event, or what has become of one: only where Config.Live asks for it
	End      Kind = "end"
)

// Scenario is who calls and notes things in the scenario's own goroutine.
const Scenario = "test"

// Event is something that happened while a case ran: a call on the subject, or what somebody
// saw or did. A history has its events in the order in which they began.
type Event struct {
	Who    string        `json:"who"`
	At     time.Duration `json:"at"` // since the case began; virtual inside a bubble
	What   string        `json:"what"`
	Result string        `json:"result,omitempty"`
	Took   time.Duration `json:"took,omitempty"`
	Open   bool          `json:"open,omitempty"` // a call that never returned

	// Where it began, and a call returned, among all that began or returned in this history.
	// Many things happen in one instant of virtual time, and their order is often the point.
	Began    int `json:"began"`
	Returned int `json:"returned,omitempty"` // 0 for what is no call, or open

	Broke   bool `json:"broke,omitempty"`   // the rule broke at this moment
	Checked bool `json:"checked,omitempty"` // the case found that the rule had been broken before
}

// Unnumber takes the number from the names of actors, of which who returns the first n, where
// no other is of that name: "worker #2" becomes "worker".
func Unnumber(n int, who func(i int) *string) {
	base := func(name string) string { base, _, _ := strings.Cut(name, " #"); return base }
	names := make([]string, n)
	for i := range names {
		names[i] = *who(i)
	}
	for i, name := range names {
		if !slices.ContainsFunc(names, func(o string) bool { return o != name && base(o) == base(name) }) {
			*who(i) = base(name)
		}
	}
}

// Record is one line from the test process.
type Record struct {
	Nonce    string  `json:"nonce"`
	Kind     Kind    `json:"kind"`
	Case     string  `json:"case"`
	Message  string  `json:"message,omitempty"` // a sentence about the learner's code
	Detail   string  `json:"detail,omitempty"`  // what a verdict on time or memory was measured by
	Dump     string  `json:"dump,omitempty"`    // goroutine dump
	History  []Event `json:"history,omitempty"`
	Copy     int     `json:"copy,omitempty"`     // 1-based; 0 where the scenario ran once
	Scenario int     `json:"scenario,omitempty"` // of Happened: which one of the case, from 1
	Passed   bool    `json:"passed,omitempty"`
	Bytes    int64   `json:"bytes,omitempty"`
	GoesOn   bool    `json:"goes_on,omitempty"` // of a spent budget: calls still began and returned

	Took time.Duration `json:"took_ns,omitempty"` // of an End: since the case began
}

// Limits on what one record may carry: a submission can make an error text of
// hundreds of megabytes, and the checker keeps what it receives.
const (
	MaxMessage = 2 << 10
	MaxDetail  = 8 << 10
	MaxDump    = 192 << 10
)

// maxConfig bounds what is read as a Config.
const maxConfig = 1 << 16

var (
	config  Config
	active  bool
	mu      sync.Mutex // orders records; guards the fields below
	channel *json.Encoder
	current string // the case that records are of
)

func init() {
	if os.Getenv(Env) == "" {
		return
	}
	os.Unsetenv(Env)
	socket := os.NewFile(3, "wire")
	if err := json.NewDecoder(io.LimitReader(socket, maxConfig)).Decode(&config); err != nil {
		os.Stderr.WriteString("controllerbook: no configuration on descriptor 3: " + err.Error() + "\n")
		os.Exit(3)
	}
	channel = json.NewEncoder(socket)
	active = true
}

// Attached returns the configuration of this run, and false where the program
// was started by hand or by go test.
func Attached() (Config, bool) { return config, active }

// Begin makes name the case of the records that follow.
func Begin(name string) {
	mu.Lock()
	defer mu.Unlock()
	current = name
}

// Send writes one record, signed. Without a checker it does nothing.
func Send(r Record) {
	if !active {
		return
	}
	r.Message = printable.Clip(r.Message, MaxMessage)
	r.Detail = printable.Clip(r.Detail, MaxDetail)
	r.Dump = printable.Clip(r.Dump, MaxDump)
	mu.Lock()
	defer mu.Unlock()
	r.Nonce, r.Case = config.Nonce, current
	_ = channel.Encode(r) // the checker is gone: nobody is left to tell
}
