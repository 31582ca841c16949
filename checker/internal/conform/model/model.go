// Package model checks a subject against a naive model on generated inputs, with
// rapid choosing and shrinking them.
package model

import (
	"flag"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"time"

	"pgregory.net/rapid"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// shrinks is how many attempts to find a smaller failing input are made.
const shrinks = 300

// Check puts scenario to so many generated inputs, drawn from rt, and reports
// the smallest that fails with the history of that one run. The inputs follow
// from the case's seed.
//
// Everything a scenario asserts, it asserts on the t it is given. A scenario ends
// what it starts: inside one bubble all attempts share a clock and a leak check.
func Check(t *conform.T, inputs int, scenario func(rt *rapid.T, t *conform.T)) {
	set("rapid.nofailfile", "true")
	set("rapid.shrinktime", (24 * time.Hour).String()) // rapid stops there anyway
	// rapid gives up after a day. In a bubble a day is soon over, so it is begun anew
	// until there were enough inputs.
	tried := 0
	// Shrinking only ever accepts a smaller failing input, so the last attempt to
	// fail is the smallest one found. It is bounded by a count: rapid's own bound is
	// a time, and in a bubble time stands still. To end rapid's goroutine is the only
	// way to stop it; told that an attempt holds, it goes on for seconds.
	var smallest *conform.Attempt
	left := shrinks
	try := func(rt *rapid.T) {
		if smallest != nil {
			if left--; left < 0 {
				runtime.Goexit()
			}
		}
		tried++
		a := t.Attempt(rt.FailNow, rapids)
		defer func() {
			if a.Failed() {
				smallest = a
			}
		}()
		a.Run(func(t *conform.T) { scenario(rt, t) })
	}
	for tried < inputs && smallest == nil {
		set("rapid.checks", strconv.Itoa(inputs-tried))
		set("rapid.seed", strconv.FormatUint(t.Seed()+uint64(tried)|1, 10))
		done := make(chan struct{}) // rapid leaves a failed Check by FailNow, and is left by Goexit
		go func() {
			defer close(done)
			rapid.Check(quiet{}, try)
		}()
		<-done
	}
	if smallest != nil {
		smallest.Report()
	}
}

// rapids reports whether a panic is how rapid ends an attempt: its types are its own.
func rapids(p any) bool { return strings.HasPrefix(fmt.Sprintf("%T", p), "rapid.") }

func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic("model: rapid no longer has the flag " + name) // our pin of rapid decides
	}
}
