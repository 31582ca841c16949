package debouncetest

import (
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

const (
	quiet   = 100 * time.Millisecond
	longest = time.Second
)

var public = []conform.Case[Subject]{
	{
		Name:   "waits-for-quiet",
		Points: 4,
		Func:   "Debouncer.Run",
		Rule:   "A single update is pushed, as it is, when Quiet has passed since it came.",
		Why:    "Most changes come in pairs: a Service and its EndpointSlice, a Deployment and its status. A short wait halves the pushes.",
		Hint: []string{
			"What is your goroutine blocked on while it waits? It must listen to updates, the clock and ctx at once.",
			"A select over updates, a timer and ctx.Done(). Set the timer when an update comes.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce, DebounceAfter (PILOT_DEBOUNCE_AFTER, 100 ms)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			got := play(t, open(), script{quiet: quiet, max: longest, updates: ms(0), closed: longest})
			require.Equal(t, []pushed{at(100, 0, 0)}, got.pushes, "One update at 0 ms with Quiet 100 ms was not pushed once, at 100 ms.")
		},
	},
	{
		Name:   "burst-is-one-push",
		Points: 6,
		Func:   "Debouncer.Run",
		Rule:   "Updates that follow each other within Quiet are merged and pushed once, when Quiet has passed since the last.",
		Why:    "kubectl apply of a directory is two hundred events in a second; each push to the mesh is a configuration for every sidecar.",
		Hint: []string{
			"When the second update comes, what becomes of the wait for the first?",
			"Each update moves the deadline. Reset the timer, or compare the clock with the last update when it fires.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (quietTime)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			got := play(t, open(), script{quiet: quiet, max: longest, updates: ms(0, 60, 120, 180), closed: longest})
			require.Equal(t, []pushed{at(280, 0, 3)}, got.pushes, "Four updates, the last at 180 ms, with Quiet 100 ms were not pushed once, at 280 ms.")
		},
	},
	{
		Name:   "each-batch-is-its-own",
		Points: 5,
		Func:   "Debouncer.Run",
		Rule:   "After a push the next update begins a new batch, with its own waits and nothing of the old batch in it.",
		Why:    "A push that repeats all earlier changes grows with the age of the process until every change is a full push.",
		Hint: []string{
			"What do you remember of a batch when it has been pushed?",
			"Forget the batch and the time of its first update at the moment you hand it over.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (req = nil, debouncedEvents = 0)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			got := play(t, open(), script{quiet: quiet, max: longest, updates: ms(0, 50, 960, 1040), closed: 3 * longest})
			require.Equal(t, []pushed{at(150, 0, 1), at(1140, 2, 3)}, got.pushes, "Two bursts that end at 50 ms and 1040 ms, with Quiet 100 ms, were not pushed apart, at 150 ms and 1140 ms.")
		},
	},
	{
		Name:   "close-flushes",
		Points: 6,
		Func:   "Debouncer.Run",
		Rule:   "When updates is closed what is pending is pushed without waiting for quiet, and Run returns nil when that push has returned.",
		Why:    "A control plane that shuts down in order hands over what it knows; somebody is often waiting for the last change before the shutdown.",
		Hint: []string{
			"What does a receive from a closed channel give you, and how often?",
			"Note that it is closed and set the channel variable to nil: a nil channel is never ready.",
			"Return when it is closed, nothing is pending and no push is running.",
		},
		Source: "the contract of this lab; The Go Programming Language Specification, Receive operator",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			got := play(t, open(), script{quiet: quiet, max: longest, updates: ms(0, 50), took: ms(30), closed: 70 * time.Millisecond})
			require.Equal(t, []pushed{at(70, 0, 1)}, got.pushes, "What was pending when updates was closed was not pushed then, once.")
			require.Equal(t, 100*time.Millisecond, got.returned, "Run did not return when the last push had returned.")
			require.NoError(t, got.err, "Run returned an error although updates was closed and everything pushed.")
		},
	},
	{
		Name:   "nothing-to-push",
		Points: 3,
		Func:   "Debouncer.Run",
		Rule:   "Without updates nothing is pushed, and Run returns as soon as updates is closed.",
		Why:    "An empty push is not harmless: to a sidecar it can mean 'you have no routes'.",
		Hint: []string{
			"Is there a batch before the first update? How does your code know?",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (if req != nil)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			got := play(t, open(), script{quiet: quiet, max: longest, closed: 5 * time.Second})
			require.Empty(t, got.pushes, "Run pushed although there was no update.")
			require.Equal(t, 5*time.Second, got.returned, "Run did not return when updates was closed.")
			require.NoError(t, got.err, "Run returned an error although updates was closed and there was nothing to push.")
		},
	},
}
