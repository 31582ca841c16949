package serverstest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// faultsHandlers are about the routes and what stands before app.
var faultsHandlers = []conform.Fault{
	{
		Name:     "one-table-for-the-process",
		Mistake:  "Routes are registered in http.DefaultServeMux, as http.HandleFunc does: the second server of the process finds them taken.",
		File:     fileHandlers,
		Edits:    conform.Swap("\tready := new(readiness)\n\tmux := http.NewServeMux()", "\tready := new(readiness)\n\tmux := http.DefaultServeMux"),
		KilledBy: "side-by-side",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "app-at-the-root-alone",
		Mistake:  "The pattern of app matches the root and nothing below it.",
		File:     fileHandlers,
		Edits:    conform.Swap("mux.Handle(\"/\", counted(app, counters))", "mux.Handle(\"/{$}\", counted(app, counters))"),
		KilledBy: "probes-while-serving",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "healthz-follows-readyz",
		Mistake:  "One handler for both probes: a process that drains is restarted for it.",
		File:     fileHandlers,
		Edits:    conform.Swap("mux.Handle(\"/readyz\", ready)", "mux.Handle(\"/readyz\", ready)\n\tmux.Handle(\"GET /healthz\", ready)"),
		KilledBy: "readyz-turns-first",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "plain-flag",
		Mistake: "The flag behind /readyz is a plain bool: it is only set once, so what could go wrong.",
		File:    fileHandlers,
		Edits: []conform.Edit{
			{Old: "\t\"sync/atomic\"\n", New: ""},
			{Old: "over atomic.Bool", New: "over bool"},
			{Old: "r.over.Store(true)", New: "r.over = true"},
			{Old: "r.over.Load()", New: "r.over"},
		},
		KilledBy: "stop-under-load",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "one-wrapper-for-all-requests",
		Mistake:  "The wrapper around the ResponseWriter is made once to spare allocations, and shared by all requests.",
		File:     fileHandlers,
		Edits:    conform.Swap("\treturn http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {\n\t\ta := &answer{ResponseWriter: w}", "\ta := new(answer)\n\treturn http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {\n\t\t*a = answer{ResponseWriter: w}"),
		KilledBy: "stop-under-load",
		Verdict:  verdict.DataRace,
	},
	{
		Name:    "probes-counted",
		Mistake: "The whole mux is counted: the kubelet's probes drown the numbers.",
		File:    fileHandlers,
		Edits: []conform.Edit{
			{Old: "mux.Handle(\"/\", counted(app, counters))", New: "mux.Handle(\"/\", app)"},
			{Old: "Name: \"api\", Handler: mux", New: "Name: \"api\", Handler: counted(mux, counters)"},
		},
		KilledBy: "counts-answers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "status-not-seen",
		Mistake:  "The wrapper overrides Write alone: every answer counts as 200.",
		File:     fileHandlers,
		Edits:    conform.Swap("func (a *answer) WriteHeader(code int) {", "func (a *answer) writeHeader(code int) {"),
		KilledBy: "counts-answers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "panic-left-to-net-http",
		Mistake:  "net/http recovers, so nobody else has to; the client's connection breaks without a word.",
		File:     fileHandlers,
		Edits:    conform.Swap("p := recover()", "p := any(nil)"),
		KilledBy: "panic-is-answered",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "handler-in-a-goroutine-of-its-own",
		Mistake:  "app runs in another goroutine, and the recover around the go statement is believed to reach it.",
		File:     fileHandlers,
		Edits:    conform.Swap("next.ServeHTTP(a, r)", "done := make(chan struct{})\n\t\tgo func() {\n\t\t\tdefer close(done)\n\t\t\tnext.ServeHTTP(a, r)\n\t\t}()\n\t\t<-done"),
		KilledBy: "panic-is-answered",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "half-passed-off-as-whole",
		Mistake:  "The panic is recovered and that is that: net/http ends the answer as if it were complete.",
		File:     fileHandlers,
		Edits:    conform.Swap("\tif a.code != 0 {\n\t\tpanic(http.ErrAbortHandler)\n\t}", "\tif a.code != 0 {\n\t\treturn\n\t}"),
		KilledBy: "half-an-answer-is-cut",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "abort-answered",
		Mistake:  "http.ErrAbortHandler is taken for a panic like any other and answered with a 500.",
		File:     fileHandlers,
		Edits:    conform.Swap("\tif p == http.ErrAbortHandler {\n\t\tpanic(p)\n\t}\n", ""),
		KilledBy: "half-an-answer-is-cut",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "flush-unseen",
		Mistake:  "The wrapper sees WriteHeader and Write, and not that a Flush sends the header too: a panic after it is answered into the middle of the answer.",
		File:     fileHandlers,
		Edits:    conform.Swap("func (a *answer) FlushError()", "func (a *answer) flushError()"),
		KilledBy: "half-an-answer-is-cut",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "flush-hidden",
		Mistake: "The wrapper overrides Write and WriteHeader and nothing else: it hides Flush, and streams stay in the buffer.",
		File:    fileHandlers,
		Edits: []conform.Edit{
			{Old: "func (a *answer) FlushError()", New: "func (a *answer) flushError()"},
			{Old: "func (a *answer) Unwrap()", New: "func (a *answer) unwrap()"},
		},
		KilledBy: "streams-flow",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "deadlines-hidden",
		Mistake:  "The wrapper passes Flush on and has no Unwrap: whatever else the writer underneath can do is lost.",
		File:     fileHandlers,
		Edits:    conform.Swap("func (a *answer) Unwrap()", "func (a *answer) unwrap()"),
		KilledBy: "streams-flow",
		Verdict:  verdict.WrongAnswer,
	},
}

// faultsCounters are about the numbers.
var faultsCounters = []conform.Fault{
	{
		Name:     "scrape-without-lock",
		Mistake:  "A scrape only reads, so it takes no lock; the map is written meanwhile.",
		File:     fileCounters,
		Edits:    conform.Swap("\tc.mu.RLock()\n\tseries := maps.Clone(c.series)\n\tc.mu.RUnlock()\n", "\tseries := maps.Clone(c.series)\n"),
		KilledBy: "counts-are-exact",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "lookup-without-lock",
		Mistake:  "The lock is taken only to add a series; finding one is believed to need none.",
		File:     fileCounters,
		Edits:    conform.Swap("\tc.mu.RLock()\n\tn := c.series[series]\n\tc.mu.RUnlock()\n", "\tn := c.series[series]\n"),
		KilledBy: "counts-are-exact",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "series-made-twice",
		Mistake:  "The series is not looked for again under the write lock: two goroutines make it, and what the first counted is lost.",
		File:     fileCounters,
		Edits:    conform.Swap("\tif n := c.series[series]; n != nil {\n\t\treturn n\n\t}\n", ""),
		KilledBy: "counts-are-exact",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "lock-held-while-writing",
		Mistake:  "The lock is let go when the scrape has been written, that is, when its client has read it.",
		File:     fileCounters,
		Edits:    conform.Swap("\tseries := maps.Clone(c.series)\n\tc.mu.RUnlock()\n", "\tseries := maps.Clone(c.series)\n\tdefer c.mu.RUnlock()\n"),
		KilledBy: "slow-scrape-holds-up-nobody",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "type-for-every-series",
		Mistake:  "The TYPE line is written before each series, not once for each metric.",
		File:     fileCounters,
		Edits:    conform.Swap("metric != last {", "metric+last != \"\" {"),
		KilledBy: "counts-answers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "metrics-torn-apart",
		Mistake:  "The series are sorted as they are written: '_' sorts before '{', so another metric comes in between.",
		File:     fileCounters,
		Edits:    conform.Swap("\tif c := strings.Compare(metricOf(a), metricOf(b)); c != 0 {\n\t\treturn c\n\t}\n", ""),
		KilledBy: "counts-answers",
		Verdict:  verdict.WrongAnswer,
	},
}
