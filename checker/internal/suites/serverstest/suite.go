// Package serverstest is the conformance suite of lab 06.
//
// Nearly all of it runs on an in-memory listener: pipes that a synctest bubble
// understands, so that a grace of thirty seconds is exact and costs nothing. Two cases run
// on real sockets, where a closed port really refuses; a box without a loopback
// network gets the in-memory listener there too, because the rules are the same.
//
// What it can miss: a goroutine that outlives Serve for a moment and does nothing that
// anybody sees; HTTP/2, of which the contract does not speak; an Addr of "", for which it would
// have to open a port of every interface; and a race that needs real sockets to show.
package serverstest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// Handle is a Server of the subject. Only the bridge looks inside.
type Handle any

// Counters is the subject's Counters.
type Counters interface{ Inc(series string) }

// Settings are the fields of a Server that a caller sets. A Name that is empty leaves the
// one the constructor gave.
type Settings struct {
	Name              string
	Addr              string
	Listener          net.Listener
	ReadHeaderTimeout time.Duration
	Delay             time.Duration
	Grace             time.Duration
}

// Subject is lab 06 as the suite sees it.
type Subject struct {
	Serve    func(ctx context.Context, servers ...Handle) error
	Counters func() Counters
	API      func(app http.Handler, counters Counters, s Settings) Handle
	Metrics  func(counters Counters, s Settings) Handle
	Plain    func(handler http.Handler, s Settings) Handle // a literal
	Handler  func(server Handle) http.Handler              // its field

	// Around puts a handler around the Handler of a server.
	Around func(server Handle, around func(http.Handler) http.Handler) Handle
}

// Lab describes lab 06 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "06-servers",
		Title:   "Servers",
		Builds:  "an API server and a metrics server side by side: probes, one failure stops all, a shutdown that drains",
		Files:   []string{"serve.go", "handlers.go", "counters.go"},
		Imports: []string{"bufio", "io", "log/slog", "net.Addr,Conn,ErrClosed,Listen,ListenConfig,Listener,OpError", "net/http", "runtime/debug.Stack", "time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases returns the claims of the suite.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }

// The suite's own errors: what a listener fails with.
var (
	errFirst  = errors.New("the listener broke")
	errSecond = errors.New("another listener broke")
)

// tolerance is how much later than promised something may happen. net/http checks
// its connections at intervals of up to half a second while it shuts down.
const tolerance = time.Second
