package watchhttptest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

const (
	fileHandler = "handler.go"
	fileClient  = "client.go"
	fileStream  = "stream.go"
)

var faults = slices.Concat(faultsHandler, faultsClient, faultsStream)

// faultsHandler are mistakes of the server's side.
var faultsHandler = []conform.Fault{
	{
		Name:     "null-for-nothing",
		Mistake:  "An empty list is written as null, since encoding/json makes that of a nil slice.",
		File:     fileHandler,
		Edits:    conform.Swap("\tif out.Items == nil {\n\t\tout.Items = []T{} // null is not a list, to most who read JSON\n\t}\n", ""),
		KilledBy: "lists-as-the-api-server",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "one-root-for-all",
		Mistake:  "Every type is looked for under /api/v1: that holds for the core group alone.",
		File:     fileHandler,
		Edits:    conform.Swap("if strings.Contains(typ.APIVersion, \"/\") {", "if strings.HasPrefix(typ.APIVersion, \"/\") {"),
		KilledBy: "lists-as-the-api-server",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "namespace-passed-over",
		Mistake:  "The path with a namespace is there, and what stands in it is not read.",
		File:     fileHandler,
		Edits:    conform.Swap("options.Namespace = r.PathValue(\"namespace\")", "options.Namespace = \"\""),
		KilledBy: "lists-as-the-api-server",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "names-of-go",
		Mistake:  "The event is written with the names of its Go fields.",
		File:     fileHandler,
		Edits:    conform.Swap("`json:\"type\"`\n\tObject O             `json:\"object\"`", "`json:\",omitempty\"`\n\tObject O             `json:\",omitempty\"`"),
		KilledBy: "streams-one-event-a-line",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "error-without-its-status",
		Mistake:  "An ERROR is written like any event; its object is null, and nobody learns why the watch ends.",
		File:     fileHandler,
		Edits:    conform.Swap("\t\treturn f.send(what, status)\n", "\t\treturn f.send(what, object)\n"),
		KilledBy: "streams-one-event-a-line",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "true-is-one",
		Mistake:  "Only what strconv.ParseBool might like is yes: watch=yes, which stands in many a script, is a list.",
		File:     fileHandler,
		Edits:    conform.Swap("return query.Has(name) && value != \"0\" && !strings.EqualFold(value, \"false\")", "return query.Has(name) && (value == \"1\" || strings.EqualFold(value, \"true\"))"),
		KilledBy: "parameters-reach-the-source",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "nonsense-is-no-timeout",
		Mistake:  "A timeoutSeconds that can't be read is taken for none.",
		File:     fileHandler,
		Edits:    conform.Swap("if err != nil || n < 0 {", "if err == nil && n < 0 {"),
		KilledBy: "parameters-reach-the-source",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "version-is-a-number",
		Mistake:  "The handler reads the version as a number, though only the store knows what it means.",
		File:     fileHandler,
		Edits:    conform.Swap("\tif seconds := query.Get(\"timeoutSeconds\")", "\tif _, err := strconv.ParseUint(options.ResourceVersion, 10, 64); err != nil && options.ResourceVersion != \"\" {\n\t\treturn options, kit.NewStatusError(kit.ReasonBadRequest, \"resourceVersion: %v\", err)\n\t}\n\tif seconds := query.Get(\"timeoutSeconds\")"),
		KilledBy: "parameters-reach-the-source",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "plain-text-for-404",
		Mistake:  "The mux answers unknown paths itself, in plain text.",
		File:     fileHandler,
		Edits:    conform.Swap("refuse(w, kit.NewNotFound(\"path\", r.URL.Path))", "http.NotFound(w, r)"),
		KilledBy: "refusals-are-a-status",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "wrapped-is-not-seen",
		Mistake: "The error is asserted to be a StatusError: one that is wrapped becomes a 500.",
		File:    fileHandler,
		Edits: []conform.Edit{
			{Old: "\tvar refusal *kit.StatusError\n\tif errors.As(err, &refusal) && refusal", New: "\trefusal, ok := err.(*kit.StatusError)\n\tif ok && refusal"},
			{Old: "\t\"errors\"\n", New: ""},
		},
		KilledBy: "refusals-are-a-status",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "any-code-will-do",
		Mistake:  "The code of a Status is believed, and WriteHeader panics.",
		File:     fileHandler,
		Edits:    conform.Swap("errors.As(err, &refusal) && refusal.ErrStatus.Code >= 400 && refusal.ErrStatus.Code <= 599", "errors.As(err, &refusal)"),
		KilledBy: "refusals-are-a-status",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "expired-before-the-stream",
		Mistake:  "A watch that is too old is refused like a list; upstream says so inside a 200.",
		File:     fileHandler,
		Edits:    conform.Swap("case kit.IsResourceExpired(err):", "case kit.IsResourceExpired(err) && r.Method == \"\":"),
		KilledBy: "refusals-are-a-status",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "header-with-the-first-event",
		Mistake:  "The header goes out with the first event: until something changes, a client does not know that its watch has begun.",
		File:     fileHandler,
		Edits:    conform.Swap("\tcontrol.Flush() // if it can't, send will say so\n", ""),
		KilledBy: "each-event-at-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "never-flushed",
		Mistake:  "What is written is left to net/http, which waits until its buffer is full.",
		File:     fileHandler,
		Edits:    conform.Swap("\treturn f.control.Flush()\n", "\treturn nil\n"),
		KilledBy: "each-event-at-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "flusher-asserted",
		Mistake: "The ResponseWriter is asserted to be a Flusher: one that is wrapped is not, and nothing says so.",
		File:    fileHandler,
		Edits: []conform.Edit{
			{Old: "\treturn f.control.Flush()\n", New: "\tif flusher, ok := f.w.(http.Flusher); ok {\n\t\tflusher.Flush()\n\t}\n\treturn nil\n"},
			{Old: "\tcontrol *http.ResponseController\n", New: "\tcontrol *http.ResponseController\n\tw       http.ResponseWriter\n"},
			{Old: "frames{json.NewEncoder(w), control}", New: "frames{json.NewEncoder(w), control, w}"},
		},
		KilledBy: "each-event-at-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "closed-without-ok",
		Mistake:  "A receive from the source's channel is taken for an event although the channel is closed: nothing, written without an end (kubernetes#137398).",
		File:     fileHandler,
		Edits:    conform.Swap("case event, ok := <-watch.ResultChan():\n\t\t\tif !ok || out", "case event := <-watch.ResultChan():\n\t\t\tif out"),
		KilledBy: "timeout-ends-cleanly",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "write-errors-passed-over",
		Mistake:  "The error of a write is not looked at: the client will be gone some day, and the context will say so.",
		File:     fileHandler,
		Edits:    conform.Swap("\t\t\tif !ok || out.event(event.Type, event.Object, event.Status) != nil {\n\t\t\t\treturn\n\t\t\t}\n", "\t\t\tif !ok {\n\t\t\t\treturn\n\t\t\t}\n\t\t\tout.event(event.Type, event.Object, event.Status)\n"),
		KilledBy: "client-gone-ends-the-watch",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "never-stopped",
		Mistake:  "The source's watch is left to its context (kubernetes#6627: a watch that nobody stops stays for ever).",
		File:     fileHandler,
		Edits:    conform.Swap("\tdefer watch.Stop()\n", ""),
		KilledBy: "client-gone-ends-the-watch",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "deaf-to-its-client",
		Mistake: "The watch gets a context that the client does not end, and the loop waits for events alone: a client that hangs up on a quiet namespace is never noticed.",
		File:    fileHandler,
		Edits: []conform.Edit{
			{Old: "s.source.Watch(r.Context(), options)", New: "s.source.Watch(context.WithoutCancel(r.Context()), options)"},
			{Old: "\t\tcase <-r.Context().Done():\n\t\t\treturn\n", New: ""},
			{Old: "import (\n", New: "import (\n\t\"context\"\n"},
		},
		KilledBy: "client-gone-ends-the-watch",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "cut-at-shutdown",
		Mistake: "A stream whose context is done is cut, as half an answer is: the client can't tell a rollout from a broken line.",
		File:    fileHandler,
		Edits: []conform.Edit{
			{Old: "s.source.Watch(r.Context(), options)", New: "s.source.Watch(context.WithoutCancel(r.Context()), options)"},
			{Old: "\t\tcase <-r.Context().Done():\n\t\t\treturn\n", New: "\t\tcase <-r.Context().Done():\n\t\t\tpanic(http.ErrAbortHandler)\n"},
			{Old: "import (\n", New: "import (\n\t\"context\"\n"},
		},
		KilledBy: "shutdown-ends-streams",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "bookmark-made-bare",
		Mistake:  "A bookmark is nothing but a version, so its annotations are taken off, with the mark of the end of the initial events (kubernetes#140890: its reader waits for ever).",
		File:     fileHandler,
		Edits:    conform.Swap("\treturn f.send(what, object)\n", "\tif bare, ok := object.(kit.Object); ok && what == kit.Bookmark {\n\t\tbare.SetAnnotations(nil)\n\t}\n\treturn f.send(what, object)\n"),
		KilledBy: "through-both-ends",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "connection-closed-after",
		Mistake:  "A connection that has carried a watch has to close after it: over HTTP/2 all requests share it.",
		File:     fileHandler,
		Edits:    conform.Swap("\tw.WriteHeader(http.StatusOK)\n\tcontrol", "\tw.Header().Set(\"Connection\", \"close\")\n\tw.WriteHeader(http.StatusOK)\n\tcontrol"),
		KilledBy: "http2-shares-one-connection",
		Verdict:  verdict.WrongAnswer,
	},
}
