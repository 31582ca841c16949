package explain

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// TestWithheldSaysNothingOfTheInputs puts one secret into everything that a submission
// can write into.
func TestWithheldSaysNothingOfTheInputs(t *testing.T) {
	const secret = "s3cret-input"
	at := outcome.Location{File: "labs/01-goroutines/gather.go", Line: 7, Func: "Gather"}
	c := conform.Meta{Name: "keeps-order", Func: "Gather", Rule: "A rule.", Why: "A reason."}
	for _, v := range verdict.All {
		r := outcome.Result{
			Lab: "01-goroutines", Case: c.Name, Verdict: v, Max: 5, At: at, Passed: 1, Runs: 2, Took: time.Second,
			Message: "index out of range " + secret, Detail: "expected: " + secret, Output: secret, Raw: secret,
			Goroutines: []outcome.Goroutine{{State: secret, At: at, Count: 1}},
			Race:       []outcome.Access{{Op: "write", At: at, Main: true}},
			History:    []wire.Event{{Who: secret, What: secret, Result: secret}},
		}
		if v.OwnMessage() {
			r.Message = "the checker's own words"
		}
		e := Withheld(c, r)
		assert.NotContains(t, fmt.Sprintf("%+v", e), secret, v)
		assert.NotEmpty(t, e.What, v)
		assert.Equal(t, v != verdict.Pass && v != verdict.NotImplemented, e.Withheld)
	}
}

func TestWithheldStillSaysWhere(t *testing.T) {
	r := outcome.Result{Lab: "01-goroutines", Verdict: verdict.Panic, Message: "runtime error: index out of range [5] with length 3",
		At: outcome.Location{File: "labs/01-goroutines/gather.go", Line: 7}}
	e := Withheld(conform.Meta{Rule: "A rule."}, r)
	assert.Equal(t, "panic: index out of range", e.Places[0].Label)
	assert.Equal(t, 7, e.Places[0].At.Line)
	assert.Equal(t, "A rule.", e.Rule)
}
