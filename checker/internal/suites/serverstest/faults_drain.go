package serverstest

import (
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// faultsDrain are about the way from the first signal to the last connection.
var faultsDrain = []conform.Fault{
	{
		Name:    "shutdown-with-a-done-context",
		Mistake: "Shutdown gets the context whose end began the shutdown: it gives up at once and nobody has any grace.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "return s.drain(server)", New: "return s.drain(stop, server)"},
			{Old: "drain(server *http.Server) error {", New: "drain(stop context.Context, server *http.Server) error {"},
			{Old: "context.WithTimeout(context.Background(), grace)", New: "context.WithTimeout(stop, grace)"},
		},
		KilledBy: "in-flight-requests-finish",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "close-for-shutdown",
		Mistake: "Close is taken for the way to stop a server; it cuts every connection.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "\tctx, cancel := context.WithTimeout(", New: "\t_, cancel := context.WithTimeout("},
			{Old: "server.Shutdown(ctx)", New: "server.Close()"},
		},
		KilledBy: "in-flight-requests-finish",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "does-not-wait-for-the-drain",
		Mistake: "When http.Server.Serve has returned the server is taken to have ended; the drain has only begun then.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "\tgroup.Go(func() error {\n\t\t<-stop.Done()", New: "\tgo func() error {\n\t\t<-stop.Done()"},
			{Old: "\t\treturn s.drain(server)\n\t})", New: "\t\treturn s.drain(server)\n\t}()"},
		},
		KilledBy: "in-flight-requests-finish",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "requests-first-listener-last",
		Mistake: "The requests are given their time first and the listener is closed after it.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "\tserver.RegisterOnShutdown(endRequests)\n", New: "\tcontext.AfterFunc(stop, endRequests)\n"},
			{Old: "time.Sleep(s.Delay)", New: "time.Sleep(s.Delay + cmp.Or(s.Grace, DefaultGrace))"},
		},
		KilledBy: "refuses-new-connections",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "in-turn",
		Mistake: "The servers are shut down in a loop, each when the one before has drained.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "\tfor i, s := range servers {\n\t\ts.start(group, stop, listeners[i])\n\t}\n", New: "\tvar drains []func() error\n\tfor i, s := range servers {\n\t\tdrains = append(drains, s.start(group, stop, listeners[i]))\n\t}\n\tfor _, drain := range drains {\n\t\tif err := drain(); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n"},
			{Old: "stop context.Context, l net.Listener) {", New: "stop context.Context, l net.Listener) func() error {"},
			{Old: "\tgroup.Go(func() error {\n\t\t<-stop.Done()", New: "\treturn func() error {\n\t\t<-stop.Done()"},
			{Old: "\t\treturn s.drain(server)\n\t})", New: "\t\treturn s.drain(server)\n\t}"},
		},
		KilledBy: "drains-side-by-side",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "grace-without-end",
		Mistake:  "Shutdown is called without a deadline and waits for a handler that never ends.",
		File:     fileServe,
		Edits:    conform.Swap("context.WithTimeout(context.Background(), grace)", "context.WithCancel(context.Background())"),
		KilledBy: "grace-is-bounded",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "grace-without-default",
		Mistake:  "Grace is taken as it is: a Server that sets none gives none.",
		File:     fileServe,
		Edits:    conform.Swap("grace := cmp.Or(s.Grace, DefaultGrace)", "grace := s.Grace"),
		KilledBy: "grace-is-bounded",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "connections-left-open",
		Mistake:  "Shutdown is believed to close what is left when its context ends; it only stops waiting.",
		File:     fileServe,
		Edits:    conform.Swap("\t\tserver.Close() // cuts the connections; Shutdown's error is the one to tell\n", ""),
		KilledBy: "grace-is-bounded",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "cut-off-in-silence",
		Mistake:  "The error of Shutdown is dropped: nobody learns that requests were cut off.",
		File:     fileServe,
		Edits:    conform.Swap("return fmt.Errorf(\"%s: shutdown with a grace of %v: %w\", s.Name, grace, err)", "return nil"),
		KilledBy: "grace-is-bounded",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "readyz-turns-late",
		Mistake:  "/readyz turns with the listener, after the delay that was there for it to be seen.",
		File:     fileServe,
		Edits:    conform.Swap("\ts.ready.end()\n\ttime.Sleep(s.Delay)", "\ttime.Sleep(s.Delay)\n\ts.ready.end()"),
		KilledBy: "readyz-turns-first",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "readyz-follows-the-callers-context",
		Mistake: "/readyz is tied to the context that Serve was given: when a sibling fails, nothing turns it.",
		File:    fileServe,
		Edits: []conform.Edit{
			{Old: "\ts.ready.end()\n", New: ""},
			{Old: "\t\ts.start(group", New: "\t\tdefer context.AfterFunc(ctx, s.ready.end)()\n\t\ts.start(group"},
		},
		KilledBy: "readyz-turns-first",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "no-delay",
		Mistake:  "The listener is closed at once: load balancers go on sending for some seconds, into a closed door.",
		File:     fileServe,
		Edits:    conform.Swap("\ttime.Sleep(s.Delay)\n", ""),
		KilledBy: "readyz-turns-first",
		Verdict:  verdict.WrongAnswer,
	},
}
