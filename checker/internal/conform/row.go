package conform

import (
	"fmt"
	"slices"
	"strings"
)

// Row is a row of checks, none of which needs another to have held. All of them are made before
// the case fails: which hold and which do not tells a comparison that is missing from code that
// does nothing at all.
type Row struct {
	t            *T
	wrong, right []string
}

// Row begins a row of checks. Judge ends it.
func (t *T) Row() *Row { return &Row{t: t} }

// Lists checks that what led to certain names and no others, in this order. verb says how, as in
// "enqueued".
func (r *Row) Lists(what, verb string, got, want []string) {
	if slices.Equal(got, want) {
		r.right = append(r.right, what)
		return
	}
	r.t.Breaks("%s: %s %s, and not %s", what, verb, Listed(got), Listed(want))
	r.wrong = append(r.wrong, fmt.Sprintf("%s (%s, should be %s)", what, Listed(got), Listed(want)))
}

// maxRow is up to how long a sentence about a row may be, in bytes, before it leaves out what
// was right: a screen would cut it.
const maxRow = 400

// Judge fails the case unless all checks of the row held. The sentence that it makes goes on
// from said: "the handlers enqueued the wrong Databases".
func (r *Row) Judge(said string) {
	if len(r.wrong) == 0 {
		return
	}
	all := fmt.Sprintf("After %d of %d events %s: %s.", len(r.wrong), len(r.wrong)+len(r.right), said, strings.Join(r.wrong, "; "))
	if right := " Right were: " + strings.Join(r.right, "; ") + "."; len(r.right) > 0 && len(all)+len(right) < maxRow {
		all += right
	}
	r.t.Fatalf("%s", all)
}
