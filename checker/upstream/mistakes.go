package upstream

import (
	"fmt"
	"strings"
)

// Mistake is one that the operator of package operator does not make, and that
// controller-runtime would let it make.
type Mistake struct {
	What string // in the operator
	Why  string // it is one, and what the library does about it
	Case string // of lab 23, which notices it

	File  string   // of package operator
	Edits []string // texts of the file, each there once, and each followed by what takes its place
}

// Mistakes are all that are tried. docs/operator.md shows them; its table is written from here.
var Mistakes = []Mistake{
	{
		What: "`AddFinalizer` without an `Update`",
		Why:  "It changes an object in memory, and nothing else.",
		Case: "finalizer-first",
		File: "reconciler.go", Edits: []string{"err := r.Update(ctx, db); err != nil", "err := ctx.Err(); err != nil"},
	},
	{
		What: "`r.Get` in place of `r.APIReader.Get`",
		Why:  "It reads from the cache, and nothing in its answer says how old that is.",
		Case: "a-stale-cache-creates-nothing",
		File: "reconciler.go", Edits: []string{"r.APIReader.Get(", "r.Get("},
	},
	{
		What: "`r.Update` for a status",
		Why:  "The API server leaves the status as it was, and answers without an error.",
		Case: "creates-and-comes-back",
		File: "status.go", Edits: []string{"r.Status().Update(", "r.Update("},
	},
	{
		What: "`SetStatusCondition` on the object itself",
		Why:  "It writes in place: before and after are the same slice, nothing differs, and nothing is written.",
		Case: "conditions-tell-it-all",
		File: "status.go", Edits: []string{"*db.Status.DeepCopy()", "db.Status"},
	},
	{
		What: "the text of the whole error in a condition",
		Why:  "It has the ID of the request, and so each try is a write.",
		Case: "same-error-same-status",
		File: "status.go", Edits: []string{"o.message = c.Message // without the ID of the request, which is never the same", "o.message = c.Error()"},
	},
	{
		What: "`reconcile.TerminalError` for what is stuck",
		Why:  "A terminal error is never tried again, and a cloud sends no event when somebody has put it right.",
		Case: "stuck-is-no-storm",
		File: "status.go", Edits: []string{
			`ctrl "sigs.k8s.io/controller-runtime"`, `ctrl "sigs.k8s.io/controller-runtime"; "sigs.k8s.io/controller-runtime/pkg/reconcile"`,
			"errors.Join(o.err, err); err != nil {", "errors.Join(o.err, err); o.stuck != \"\" {\nreturn ctrl.Result{}, reconcile.TerminalError(errors.New(o.message))\n}\nif err != nil {",
		},
	},
	{
		What: "an error for `CloudThrottled`",
		Why:  "The rate limiter of the queue begins with 5 ms, whatever the cloud has asked for.",
		Case: "retry-after-is-obeyed",
		File: "status.go", Edits: []string{"isCloud && c.Code == kit.CloudThrottled", "o.err != nil && isCloud && c.Code == kit.CloudThrottled:\nreturn ctrl.Result{}, o.err\ncase false"},
	},
	{
		What: "`SetControllerReference` for a Secret that is there already",
		Why:  "It goes by kind and name: it takes a Secret without a controller, and that of an owner of the same name with another UID.",
		Case: "connection-is-owned",
		File: "connection.go", Edits: []string{`secret.UID == ""`, "true"},
	},
	{
		What: "`GenerationChangedPredicate` alone",
		Why:  "It drops resyncs, and updates in which only finalizers or the UID differ.",
		Case: "own-status-wakes-nobody",
		File: "handlers.go", Edits: []string{"builder.WithPredicates(noEcho)", "builder.WithPredicates(predicate.GenerationChangedPredicate{})"},
	},
	{
		What: "no predicate at `For`",
		Why:  "Each status that the operator writes wakes the operator.",
		Case: "own-status-wakes-nobody",
		File: "handlers.go", Edits: []string{"For(&Database{}, builder.WithPredicates(noEcho))", "For(&Database{})"},
	},
	{
		What: "`Owns` without `Watches`",
		Why:  "The Secret with the password belongs to somebody else, and so it wakes nobody.",
		Case: "password-reaches-the-cloud",
		File: "handlers.go", Edits: []string{"handler.EnqueueRequestsFromMapFunc(r.usersOf)", "handler.Funcs{}"},
	},
	{
		What: "`List` without `InNamespace`",
		Why:  "An index of the cache has each object under its namespace, and once more under all of them.",
		Case: "secrets-wake-their-databases",
		File: "handlers.go", Edits: []string{"client.InNamespace(secret.GetNamespace()), ", ""},
	},
}

// MistakeTable is the list of mistakes as docs/operator.md shows it.
func MistakeTable() string {
	var b strings.Builder
	b.WriteString("| with controller-runtime you can still write | and then | the case that notices |\n|---|---|---|\n")
	for _, m := range Mistakes {
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", m.What, m.Why, m.Case)
	}
	return b.String()
}
