package render

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// hostile is what a subject might print, return or panic with.
var hostile = []string{
	"\x1b[2J\x1b[1;1H\x1b[32m100/100 points\x1b[0m",
	"\x1b]0;title\a\x1b]8;;http://example.org\x1b\\click\x1b]8;;\x1b\\",
	"all\rpassed\b\b\b\x00\x7f",
	"bidi \u202e drawkcab \u2066 isolate \u2069 \u200f mark \u061c",
	"hidden \u200b \u200d \ufeff \U000e0041 \u00ad soft",
	"C1 \u009b31m and \u0085 next line \u2028 and \u2029",
	"not UTF-8 \xff\xfe\x80 and a replacement \ufffd",
	"wide 工作簿 한국어 かな and long " + strings.Repeat("工", 300),
	strings.Repeat("x", 5000),
	strings.Repeat("line\n", 5000),
	"\n\n\n  \t \n",
	"",
}

func poisoned(v verdict.Verdict, text string) (conform.Meta, outcome.Result) {
	at := outcome.Location{File: "labs/01-goroutines/gather.go", Line: 7, Func: text}
	return conform.Meta{Name: "keeps-order", Points: 5, Func: "Gather", Rule: "A rule.", Why: "A reason."}, outcome.Result{
		Lab: "01-goroutines", Case: "keeps-order", Verdict: v, Max: 5,
		Message: text, Detail: text,
		At: at, Output: text, Passed: 1, Runs: 2,
		Goroutines: []outcome.Goroutine{{State: text, At: at, Count: 2}, {State: "sync.Mutex.Lock", Started: at, Count: 1}},
		Race:       []outcome.Access{{Op: text, At: at}, {Op: "write", Main: true}},
		History: []wire.Event{
			{Who: text, What: text, Result: text, Took: time.Second},
			{Who: "test", What: text, Open: true},
			{Who: "test", What: text, Broke: true},
		},
	}
}

func TestNothingOfASubjectsReachesTheTerminalUnescaped(t *testing.T) {
	for _, v := range verdict.All {
		for _, text := range hostile {
			for _, ascii := range []bool{false, true} {
				c, r := poisoned(v, text)
				var out bytes.Buffer
				s := New(&out, Options{ASCII: ascii})
				failing(s, recorded{c, r})
				s.CaseDetail(explain.Compile(text + "\na.go:1:1: " + text))
				wellFormed(t, out.String(), ascii)
				harmless(t, out.String())
				assert.Less(t, strings.Count(out.String(), "\n"), 200, "a screen stays a screen")
			}
		}
	}
}

func TestRawTextIsHarmlessToo(t *testing.T) {
	for _, text := range hostile {
		var out bytes.Buffer
		New(&out, Options{}).Raw(text)
		harmless(t, out.String())
	}
}

var formatting = regexp.MustCompile(`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]`)

func harmless(t *testing.T, screen string) {
	t.Helper()
	assert.NotRegexp(t, formatting, strings.ReplaceAll(screen, "\n", ""))
}

func TestEscapesSayWhatWasThere(t *testing.T) {
	assert.Equal(t, `\x1b[2Jgone`, clean("\x1b[2Jgone"))
	assert.Equal(t, `\u202e`, clean("\u202e"))
	assert.Equal(t, `\xff`, clean("\xff"))
	assert.Equal(t, "a    b", clean("a\tb"))
	assert.Equal(t, "工作簿", clean("工作簿"))
	assert.Equal(t, `\u5de5 ... <= ->`, ascii("工 … ≤ →"))
}

func TestColourIsTheCallersChoice(t *testing.T) {
	c, r := poisoned(verdict.DataRace, "text")
	var plain, painted bytes.Buffer
	failing(New(&plain, Options{}), recorded{c, r})
	failing(New(&painted, Options{Color: true}), recorded{c, r})
	assert.NotContains(t, plain.String(), "\x1b")
	assert.Contains(t, painted.String(), "\x1b[")
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	assert.Equal(t, plain.String(), colours.ReplaceAllString(painted.String(), ""), "colour changes nothing else")
}

func TestNarrowAndWideScreens(t *testing.T) {
	for _, columns := range []int{10, 40, 60, 100} {
		c, r := poisoned(verdict.Deadlock, strings.Repeat("words and more ", 20))
		var out bytes.Buffer
		failing(New(&out, Options{Width: columns}), recorded{c, r})
		for line := range strings.SplitSeq(out.String(), "\n") {
			assert.LessOrEqual(t, width(line), max(columns, narrowWidth), line)
		}
	}
}
