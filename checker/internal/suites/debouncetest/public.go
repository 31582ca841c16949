package debouncetest

import (
	"context"
	"time"

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
		Contract: []string{
			"A batch is due when Quiet has passed since its last update or Max since its first, whichever is earlier.",
			"It is pushed at the moment it is due",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce, DebounceAfter (PILOT_DEBOUNCE_AFTER, 100ms)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			got := play(t, open(), script{quiet: quiet, max: longest, updates: ms(0), closed: longest})
			got.pushed(t, "One update came at 0ms, with Quiet 100ms.", at(100, 0, 0))
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
			"Look at the clock when you have received the update, before you call merge.",
		},
		Contract: []string{
			"Each later update u is merged into the batch as soon as it is received, with merge(batch, u)",
			"A batch is due when Quiet has passed since its last update or Max since its first, whichever is earlier.",
			"It is pushed at the moment it is due or, if merge runs then, when that call returns",
			"Both waits are counted from when Run received the update, however long merge then takes.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (quietTime)",
		Public: true,
		Check: func(t *conform.T, open func() Subject) {
			t.Virtual(func(t *conform.T) {
				got := play(t, open(), script{quiet: quiet, max: longest, updates: ms(0, 60, 120, 180), closed: longest})
				got.pushed(t, "Four updates came, the last at 180ms, with Quiet 100ms.", at(280, 0, 3))
				got = play(t, open(), script{quiet: quiet, max: longest, updates: every(0, 1500), closed: longest})
				got.pushed(t, "1500 updates came at once, with Quiet 100ms.", at(100, 0, 1499))
			})
			slowMerge(t, open(), quiet, 0, "Quiet")
			ahead(t, open(), 3*quiet, 0, false)
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
		Contract: []string{
			"The first update after the beginning of a push, or of Run, begins a new batch",
			"what merge returns, nil included, is the batch from then on.",
		},
		Source: "istio pilot/pkg/xds/discovery.go: debounce (req = nil, debouncedEvents = 0)",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			got := play(t, open(), script{quiet: quiet, max: longest, updates: ms(0, 50, 960, 1040), closed: 3 * longest})
			got.pushed(t, "Two bursts came that began at 0ms and 960ms and ended at 50ms and 1040ms, with Quiet 100ms and Max 1s, counted from the first update of each batch.", at(150, 0, 1), at(1140, 2, 3))
		},
	},
	{
		Name:   "close-flushes",
		Points: 6,
		Func:   "Debouncer.Run",
		Rule:   "When updates is closed, what is pending is pushed without waiting for quiet, and Run returns nil when that push has returned.",
		Why:    "A control plane that shuts down in order hands over what it knows; somebody is often waiting for the last change before the shutdown.",
		Hint: []string{
			"What does a receive from a closed channel give you, and how often?",
			"Note that it is closed and set the channel variable to nil: a nil channel is never ready.",
			"Return when it is closed, nothing is pending and no push is running.",
		},
		Contract: []string{
			"When updates is closed, Run pushes what is pending without waiting until it is due",
			"When that push has returned, Run returns nil.",
			"When Run returns, no goroutine that it started is left.",
		},
		Source: "the contract of this lab; The Go Programming Language Specification, Receive operator",
		Public: true,
		Mode:   conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			got := play(t, open(), script{quiet: quiet, max: longest, updates: ms(0, 50), took: ms(30), closed: 70 * time.Millisecond})
			got.pushed(t, "Two updates came, and updates was closed at 70ms.", at(70, 0, 1))
			got.ended(t, nil, 100*time.Millisecond, "the last push had returned")
			closedEarly(t, open())
			leavesNothing(t, open(), true)
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
		Contract: []string{"blocks until updates is closed and everything has been pushed, or until ctx is done and push and merge, if they run, have returned."},
		Source:   "istio pilot/pkg/xds/discovery.go: debounce (if req != nil)",
		Public:   true,
		Mode:     conform.Virtual,
		Check: func(t *conform.T, open func() Subject) {
			s := open()
			got := play(t, s, script{quiet: quiet, max: longest, updates: ms(0), closed: longest})
			got.pushed(t, "One update came.", at(100, 0, 0))
			got = play(t, s, script{quiet: quiet, max: longest, closed: 48 * time.Hour})
			got.pushed(t, "No update came.")
			got.ended(t, nil, 48*time.Hour, "updates was closed")
			none := make(chan *Update)
			close(none)
			push := recorded(t.Named("push"), func(context.Context, *Update) { t.Errorf("push was called, and no update had come.") })
			err := conform.Do(t.Actor, func() error { return s.Run(context.Background(), quiet, longest, none, inPlace(t), push) }, "Run with context.Background() and updates closed")
			t.Require(err == nil, "updates was closed, and ctx was one that is never done. Run returned %s, and should have returned nil.", conform.Said(err))
		},
	},
}
