package serverstest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	fileServe    = "serve.go"
	fileHandlers = "handlers.go"
	fileCounters = "counters.go"
)

var faults = slices.Concat(faultsTogether, faultsRequests, faultsDrain, faultsHandlers, faultsCounters)

// faultsTogether are about what ties the servers together.
var faultsTogether = []conform.Fault{
	{
		Name:     "closed-is-an-error",
		Mistake:  "http.ErrServerClosed is passed on like any other error, so every rollout ends with one.",
		File:     fileServe,
		Edits:    conform.Swap("errors.Is(err, http.ErrServerClosed)", "errors.Is(err, net.ErrClosed)"),
		KilledBy: "ends-with-its-context",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "waits-inside-the-loop",
		Mistake:  "The loop that starts the servers waits for each of them: the second never starts.",
		File:     fileServe,
		Edits:    conform.Swap("s.start(group, stop, listeners[i])\n", "s.start(group, stop, listeners[i])\n\t\tgroup.Wait()\n"),
		KilledBy: "side-by-side",
		Verdict:  verdict.Deadlock,
	},
	{
		Name:     "siblings-not-told",
		Mistake:  "A zero errgroup.Group keeps the first error and cancels nothing: everyone waits for the caller's ctx.",
		File:     fileServe,
		Edits:    conform.Swap("group, stop := errgroup.WithContext(ctx)", "group, stop := new(errgroup.Group), ctx"),
		KilledBy: "one-failure-stops-all",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "relay-left-behind",
		Mistake:  "A goroutine waits for ctx and for nothing else; when a server fails it is left behind (controller-runtime's pkg/manager/server.go has such a goroutine, in a process that ends soon after).",
		File:     fileServe,
		Edits:    conform.Swap("\tgroup, stop := errgroup.WithContext(ctx)", "\tinner, cancel := context.WithCancel(context.WithoutCancel(ctx))\n\tgo func() {\n\t\t<-ctx.Done()\n\t\tcancel()\n\t}()\n\tgroup, stop := errgroup.WithContext(inner)"),
		KilledBy: "one-failure-stops-all",
		Verdict:  verdict.GoroutineLeak,
	},
	{
		Name:     "tells-after-its-drain",
		Mistake:  "A server that fails drains first and reports then: until its last request has ended, its siblings know nothing.",
		File:     fileServe,
		Edits:    conform.Swap("\t\treturn fmt.Errorf(\"%s: %w\", s.Name, err)\n\t})", "\t\ts.drain(server)\n\t\treturn fmt.Errorf(\"%s: %w\", s.Name, err)\n\t})"),
		KilledBy: "one-failure-stops-all",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "failed-server-is-closed",
		Mistake:  "A server whose listener is lost is taken for dead: its connections are closed under the requests.",
		File:     fileServe,
		Edits:    conform.Swap("\t\treturn fmt.Errorf(\"%s: %w\", s.Name, err)\n\t})", "\t\tserver.Close()\n\t\treturn fmt.Errorf(\"%s: %w\", s.Name, err)\n\t})"),
		KilledBy: "one-failure-stops-all",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "last-error-wins",
		Mistake: "Every failure overwrites the error: what is returned is the echo, not the cause.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "\tfor i, s := range servers {\n\t\ts.start(group, stop, listeners[i])\n\t}\n\treturn group.Wait()", New: "\terrs := make(chan error, len(servers))\n\tfor i, s := range servers {\n\t\ts.start(group, stop, listeners[i], errs)\n\t}\n\terr = group.Wait()\n\tclose(errs)\n\tfor err = range errs {\n\t}\n\treturn err"},
			{Old: "stop context.Context, l net.Listener) {", New: "stop context.Context, l net.Listener, errs chan<- error) {"},
			{Old: "\t\treturn fmt.Errorf(\"%s: %w\", s.Name, err)\n\t})", New: "\t\terr = fmt.Errorf(\"%s: %w\", s.Name, err)\n\t\terrs <- err\n\t\treturn err\n\t})"},
		},
		KilledBy: "one-failure-stops-all",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "later-listeners-left-open",
		Mistake:  "When one server can't listen, only those before it are tidied up; the listeners of those after it were given, and stay open.",
		File:     fileServe,
		Edits:    conform.Swap("closeAll(listeners)\n", "closeAll(listeners[:i])\n"),
		KilledBy: "cannot-listen",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "served-one-by-one",
		Mistake: "Each server is served as soon as it listens: requests are accepted by a process that is about to exit because its last port is taken.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "\tlisteners, err := listen(servers)\n\tif err != nil {\n\t\treturn err\n\t}\n\tgroup", New: "\tlisteners := given(servers)\n\tgroup"},
			{Old: "\t\ts.start(group", New: "\t\tif listeners[i] == nil {\n\t\t\tl, err := net.Listen(\"tcp\", s.Addr)\n\t\t\tif err != nil {\n\t\t\t\tgroup.Go(func() error { return fmt.Errorf(\"%s: %w\", s.Name, err) })\n\t\t\t\tcloseAll(listeners)\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tlisteners[i] = l\n\t\t}\n\t\ts.start(group"},
		},
		KilledBy: "cannot-listen",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "listens-after-the-end",
		Mistake:  "Nobody looks at ctx before the servers listen: a process that was told to stop while it started fails with a port that is taken.",
		File:     fileServe,
		Edits:    conform.Swap("\tif ctx.Err() != nil {\n\t\tcloseAll(given(servers))\n\t\treturn nil\n\t}\n", ""),
		KilledBy: "ends-with-its-context",
		Verdict:  verdict.WrongAnswer,
	},
}

// faultsRequests are about the http.Server and the context that requests get.
var faultsRequests = []conform.Fault{
	{
		Name:     "no-values",
		Mistake:  "Requests descend from context.Background: what main put into its context never reaches a handler.",
		File:     fileServe,
		Edits:    conform.Swap("context.WithCancel(context.WithoutCancel(stop))", "context.WithCancel(context.Background())"),
		KilledBy: "values-reach-handlers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "base-is-ctx",
		Mistake:  "BaseContext returns the context that ends Serve: every request is cancelled before the delay and the grace have begun.",
		File:     fileServe,
		Edits:    conform.Swap("context.WithCancel(context.WithoutCancel(stop))", "context.WithCancel(stop)"),
		KilledBy: "streams-end-with-the-shutdown",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "streams-not-told",
		Mistake:  "Nobody cancels the requests: Shutdown is believed to do that, and a watch waits out the whole grace.",
		File:     fileServe,
		Edits:    conform.Swap("\tserver.RegisterOnShutdown(endRequests)\n", "\t_ = endRequests\n"),
		KilledBy: "streams-end-with-the-shutdown",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "streams-told-before-the-door-is-shut",
		Mistake: "The requests are cancelled and then the listener is closed: clients come back in between.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "\tserver.RegisterOnShutdown(endRequests)\n", New: ""},
			{Old: "return s.drain(server)", New: "return s.drain(server, endRequests)"},
			{Old: "drain(server *http.Server) error {", New: "drain(server *http.Server, endRequests func()) error {"},
			{Old: "time.Sleep(s.Delay)", New: "time.Sleep(s.Delay)\n\tendRequests()"},
		},
		KilledBy: "streams-end-with-the-shutdown",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "write-timeout",
		Mistake:  "WriteTimeout is set because timeouts are good; it bounds the whole answer, and a watch is one answer.",
		File:     fileServe,
		Edits:    conform.Swap("Handler:           s.Handler,", "Handler:           s.Handler,\n\t\tWriteTimeout:      DefaultGrace,"),
		KilledBy: "streams-end-with-the-shutdown",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-header-timeout",
		Mistake:  "The zero http.Server is taken for safe; it waits for a header for ever.",
		File:     fileServe,
		Edits:    conform.Swap("ReadHeaderTimeout: cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout),\n", ""),
		KilledBy: "slow-headers-are-cut-off",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "header-timeout-without-default",
		Mistake:  "ReadHeaderTimeout is handed on as it is; zero means for ever to net/http.",
		File:     fileServe,
		Edits:    conform.Swap("cmp.Or(s.ReadHeaderTimeout, DefaultReadHeaderTimeout)", "s.ReadHeaderTimeout"),
		KilledBy: "slow-headers-are-cut-off",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "read-timeout",
		Mistake:  "ReadTimeout is set in place of ReadHeaderTimeout: it bounds the body too, and slow uploads break off.",
		File:     fileServe,
		Edits:    conform.Swap("ReadHeaderTimeout: cmp.Or(", "ReadTimeout: cmp.Or("),
		KilledBy: "slow-headers-are-cut-off",
		Verdict:  verdict.WrongAnswer,
	},
}
