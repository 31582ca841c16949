package resulttest

import (
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// Hostile is what a submission might print, return or panic with, or somebody write into
// a roster.
var Hostile = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	`</style><style>*{display:none}</style><svg onload=alert(1)>`,
	`</title></textarea><iframe src="javascript:alert(1)">`,
	`javascript:alert(1)`,
	`{{.Points}} {{template "head"}}`,
	`=HYPERLINK("http://example.org?"&A1,"100")`,
	`@SUM(1+1)*cmd|' /C calc'!A0`,
	"x;=1+1", "x|=1+1", "\t=1+1", " =1+1", "x,\n=1+1", "＝1+1", "-1", "+1",
	"x\n::error file=a::forged\n::set-output name=result::forged",
	"50%0A::error::x",
	`]]></failure><failure>`, `&lt; &amp; &#x1b;`,
	"\x1b[2J\x1b[32m100/100\x1b[0m \x1b]0;title\a",
	"all\rpassed\b\b\x00\x7f \u009b31m \u2028 \u2029",
	"bidi \u202e drawkcab \u2066 isolate \u2069 \u200f \u061c",
	"hidden \u200b \u200d \ufeff \U000e0041 \u00ad",
	"not UTF-8 \xff\xfe\x80",
	"Z" + strings.Repeat("\u0334\u0335", 500),
	strings.Repeat("x", 10_000), strings.Repeat("工\n", 5_000),
	"../../../etc/passwd", "index", "", "\n \t\n",
}

// Poisoned has one text in every field that is not ours.
func Poisoned(text string, v verdict.Verdict) result.Grade {
	g := Ada()
	g.Student = roster.Student{ID: text, Name: text, Group: text}
	g.Problem, g.Isolation, g.Key = text, text, text
	at := outcome.Location{File: text, Line: 7, Func: text}
	for i := range g.Cases {
		g.Cases[i] = outcome.Result{
			Lab: g.Lab, Case: g.Cases[i].Case, Verdict: v, Max: g.Cases[i].Max, Took: time.Second, Passed: 1, Runs: 2,
			Message: text, Detail: text, At: at, Output: text,
			Goroutines: []outcome.Goroutine{{State: text, At: at, Started: at, Count: 2}},
			Race:       []outcome.Access{{Op: text, At: at}, {Op: "write", Main: true}},
			History:    []wire.Event{{Who: text, What: text, Result: text, Took: time.Second}, {Who: text, What: text, Broke: true}},
		}
	}
	g.Points = 0
	return g
}

// Shapes are the grades that one text can get into. The verdicts take turns: each text
// meets some, each verdict meets many.
func Shapes(text string, turn int) []result.Grade {
	all := []result.Grade{Poisoned(text, verdict.WrongAnswer), Poisoned(text, verdict.Panic)}
	for i := range 3 {
		if v := verdict.All[(3*turn+i)%len(verdict.All)]; v != verdict.CheckerError { // some formats refuse that
			all = append(all, Poisoned(text, v))
		}
	}
	refused := Poisoned(text, verdict.CompileError)
	refused.Compiler = "labs/01-example/gather.go:1:1: " + text + "\n" + text
	forbidden := Poisoned(text, verdict.Forbidden)
	forbidden.Violations = []gate.Violation{{File: text, Line: 1, Kind: "import", Message: text, Help: text}}
	rejected := Poisoned(text, verdict.Forbidden)
	rejected.Status, rejected.Cases = result.Rejected, nil
	return append(all, refused, forbidden, rejected)
}

// Secrets is a submission that writes a secret wherever it can, in a lab whose first case is
// public and has none.
func Secrets(secret string, v verdict.Verdict) result.Grade {
	g := Poisoned(secret, v)
	g.Student, g.Problem, g.Isolation, g.Key = Ada().Student, "", "", ""
	for i := range g.Cases {
		c := &g.Cases[i]
		c.At, c.Race = outcome.Location{File: "labs/01-example/gather.go", Line: 7}, nil // these no submission makes up
		for k := range c.Goroutines {
			c.Goroutines[k].At, c.Goroutines[k].Started = c.At, c.At
		}
		if v.OwnMessage() {
			c.Message = "the checker's own sentence"
		}
		if i == 0 {
			*c = Ada().Cases[3] // keeps-order is public: its own history is shown
			c.Case = "keeps-order"
		}
	}
	return g
}

// formatting is what no output may have in it.
var formatting = regexp.MustCompile(`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]`)

// ShortAndPlain checks that what was made of hostile texts is still of a bounded length, and
// that nothing in it but line ends controls what shows it.
func ShortAndPlain(t *testing.T, text string) bool {
	return assert.True(t, utf8.ValidString(text)) && assert.Less(t, len(text), 200<<10) &&
		assert.Empty(t, formatting.FindString(strings.ReplaceAll(text, "\n", "")))
}
