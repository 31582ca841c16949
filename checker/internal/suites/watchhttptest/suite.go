// Package watchhttptest is the conformance suite of lab 09.
//
// Most of it runs on an in-memory listener: pipes that a synctest bubble
// understands, so that "nothing has come" is a fact and not a guess. Where the real
// scheduler is the point it runs on sockets of the loopback network; a box without one
// gets the in-memory listener there too, because the rules are the same. HTTP/2 is spoken in
// bubbles only: net/http's server hangs up on a client whose first frame takes two
// seconds, and on a loaded machine that is nobody's mistake.
//
// Each end is tested against a server or client of the suite's own, which sends exactly
// what its script says; only a few cases put the two ends together, so that two mistakes
// can't make up for each other.
//
// What it can miss: a client that holds memory below what it may hold; TLS, which lies
// below both ends; flow control of HTTP/2; a Handler that is stuck in a write to
// a client that neither reads nor hangs up, which the contract leaves open; where
// above 2 MiB the default of MaxEvent lies, for the sake of memory.
//
// Fixed and seeded: kubernetes#6627, #25331, #38670, #108080, #120980, #137398 and
// #140890. Of the rules about watches, those that are about the store (what a version
// brings, what is too old, slow watchers) belong to lab 08: here the source is the
// suite's.
package watchhttptest

import (
	"context"
	"net/http"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Client is the subject's Client.
type Client interface {
	kit.ListerWatcher[*kit.Pod]
	ListAndWatch(ctx context.Context, options kit.ListOptions, replace func(list kit.List[*kit.Pod]), apply func(event kit.Event[*kit.Pod])) error
}

// Subject is lab 09 as the suite sees it.
type Subject struct {
	Handler func(typ kit.Type[*kit.Pod], source kit.ListerWatcher[*kit.Pod]) http.Handler
	Client  func(typ kit.Type[*kit.Pod], server string, client *http.Client, maxEvent int) Client
}

// Lab describes lab 09 to the catalog.
func Lab() conform.Lab {
	return conform.Lab{
		Dir:     "09-watch-http",
		Title:   "The watch over HTTP",
		Builds:  "list and watch over HTTP/1.1 and HTTP/2: a stream that curl can follow, and a client that survives cuts",
		Files:   []string{"handler.go", "client.go", "stream.go"},
		Imports: []string{"bufio", "encoding/json", "io", "mime", "net.ErrClosed,Error", "net/http", "net/url", "path", "time"},
		Cases:   conform.Describe(Cases()),
	}
}

// Cases returns the claims of the suite.
func Cases() []conform.Case[Subject] { return append(public, hidden...) }
