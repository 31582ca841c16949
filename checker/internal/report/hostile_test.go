package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// hostile is what a submission might print, return or panic with, or somebody write into
// a roster.
var hostile = []string{
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

// poisoned has one text in every field that is not ours.
func poisoned(text string, v verdict.Verdict) Grade {
	g := ada()
	g.Student = Student{ID: text, Name: text, Group: text}
	g.Problem, g.Isolation, g.Key = text, text, text
	at := outcome.Location{File: text, Line: 7, Func: text}
	for i := range g.Cases {
		g.Cases[i] = outcome.Result{
			Lab: g.Lab, Case: g.Cases[i].Case, Verdict: v, Max: g.Cases[i].Max, Took: time.Second, Passed: 1, Runs: 2,
			Message: text, Detail: "Not equal:\nexpected: " + text + "\nactual  : " + text, At: at, Output: text,
			Goroutines: []outcome.Goroutine{{State: text, At: at, Started: at, Count: 2}},
			Race:       []outcome.Access{{Op: text, At: at}, {Op: "write", Main: true}},
			History:    []wire.Event{{Who: text, What: text, Result: text, Took: time.Second}, {Who: text, What: text, Broke: true}},
		}
	}
	g.Points = 0
	return g
}

// shapes are the grades that one text can get into. The verdicts take turns: each text
// meets some, each verdict meets many.
func shapes(text string, turn int) []Grade {
	all := []Grade{poisoned(text, verdict.WrongAnswer), poisoned(text, verdict.Panic)}
	for i := range 3 {
		if v := verdict.All[(3*turn+i)%len(verdict.All)]; v != verdict.CheckerError { // some formats refuse that
			all = append(all, poisoned(text, v))
		}
	}
	refused := poisoned(text, verdict.CompileError)
	refused.Compiler = "labs/01-example/gather.go:1:1: " + text + "\n" + text
	forbidden := poisoned(text, verdict.Forbidden)
	forbidden.Violations = []Violation{{File: text, Line: 1, Kind: "import", Message: text, Help: text}}
	rejected := poisoned(text, verdict.Forbidden)
	rejected.Status, rejected.Cases = Rejected, nil
	return append(all, refused, forbidden, rejected)
}

func TestHostileTexts(t *testing.T) {
	inBook(t)
	for turn, text := range hostile {
		for _, g := range shapes(text, turn) {
			for _, to := range []Audience{ForTeacher, ForStudent} {
				for name, write := range writers(to) {
					var out bytes.Buffer
					require.NoError(t, write(&out, g), "%s of %.40q", name, text)
					harmless := checks[name[strings.LastIndexByte(name, '.'):]]
					if !harmless(t, out.String()) || !shortAndPlain(t, out.String()) {
						t.Fatalf("%s of %.40q, %s", name, text, g.Status)
					}
				}
			}
		}
	}
}

// formatting is what no output may have in it.
var formatting = regexp.MustCompile(`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]`)

// shortAndPlain: whatever a submission says, a page stays a page.
func shortAndPlain(t *testing.T, text string) bool {
	return assert.True(t, utf8.ValidString(text)) && assert.Less(t, len(text), 200<<10) &&
		assert.Empty(t, formatting.FindString(strings.ReplaceAll(text, "\n", "")))
}

var checks = map[string]func(*testing.T, string) bool{
	".html": soundHTML, ".json": soundJSON, ".xml": soundXML, ".csv": soundCSV, ".txt": soundAnnotations,
	".b64": func(t *testing.T, text string) bool {
		return soundJSON(t, pretty(t, text)) && shortAndPlain(t, pretty(t, text))
	},
}

func soundJSON(t *testing.T, text string) bool { return assert.True(t, json.Valid([]byte(text))) }

func soundXML(t *testing.T, text string) bool {
	d := xml.NewDecoder(strings.NewReader(text))
	failures := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			return assert.LessOrEqual(t, failures, 4, "a test of its own making")
		}
		if !assert.NoError(t, err) {
			return false
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "failure" {
			failures++
		}
	}
}

func soundCSV(t *testing.T, text string) bool {
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	ok := assert.NoError(t, err) && assert.Len(t, rows, 2)
	for _, cell := range rows[len(rows)-1] {
		for _, part := range regexp.MustCompile(`[;|,\t]`).Split(cell, -1) {
			ok = ok && assert.NotRegexp(t, `^\s*[=+\-@＝＋－＠]`, part)
		}
	}
	return ok
}

// soundAnnotations: one line a case, and all that GitHub reads as an order is ours.
func soundAnnotations(t *testing.T, text string) bool {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	ok := assert.LessOrEqual(t, len(lines), 9)
	for _, line := range lines {
		ok = ok && (line == "" || assert.Regexp(t, `^::(error|warning) (file=[^,:]*,)?(line=\d+,)?title=[^,:]*::`, line))
	}
	return ok
}

// What a page may be made of. Nothing here runs, loads or sends anything.
var (
	elements = words2set(`html head meta title style body a header nav p h1 h2 h3 h4 ul ol li main section span strong code
		div dl dt dd table caption thead tbody tr th td details summary figure figcaption svg line rect text footer small abbr br pre`)
	attributes = words2set(`charset name content http-equiv lang class href id tabindex aria-label aria-labelledby aria-hidden role
		scope data-label open title viewbox preserveaspectratio x y x1 x2 y1 y2 dx rx width height text-anchor`)
	link = regexp.MustCompile(`^(#[\w.=@%-]+|[\w.=@%-]+\.html)$`)
)

func words2set(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// Our templates write every tag in one way. What does not look like that came from
// somebody else.
var (
	tag       = regexp.MustCompile(`</?([a-z][a-z0-9]*)((?: [a-zA-Z0-9-]+(?:="[^"<>]*")?)*)/?>`)
	attribute = regexp.MustCompile(` ([a-zA-Z0-9-]+)(?:="([^"<>]*)")?`)
)

func soundHTML(t *testing.T, text string) bool {
	text = strings.TrimPrefix(text, "<!DOCTYPE html>")
	head, rest, _ := strings.Cut(text, "<style>")
	_, body, _ := strings.Cut(rest, "</style>")
	ok := true
	for _, m := range tag.FindAllStringSubmatch(head+body, -1) {
		ok = ok && assert.True(t, elements[m[1]], "element %s", m[1])
		for _, a := range attribute.FindAllStringSubmatch(m[2], -1) {
			ok = ok && assert.True(t, attributes[strings.ToLower(a[1])], "attribute %s", a[1])
			if a[1] == "href" {
				ok = ok && assert.Regexp(t, link, a[2])
			}
		}
	}
	return ok && assert.NotContains(t, tag.ReplaceAllString(head+body, ""), "<", "a tag that no template has")
}

// TestStudentsSeeNothingOfHiddenCases puts a secret wherever a submission can write, and
// looks for it in all that students get.
func TestStudentsSeeNothingOfHiddenCases(t *testing.T) {
	inBook(t)
	const secret = "s3cret-input"
	var failed bytes.Buffer
	require.NoError(t, WritePage(&failed, []Grade{with(func(g *Grade) { g.Status, g.Problem, g.Cases = Failed, secret, nil })}, ForStudent))
	assert.NotContains(t, failed.String(), secret)
	for _, v := range verdict.All {
		g := poisoned(secret, v)
		g.Student, g.Problem, g.Isolation, g.Key = ada().Student, "", "", ""
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
				*c = ada().Cases[3] // keeps-order is public: its own history is shown
				c.Case = "keeps-order"
			}
		}
		for name, write := range writers(ForStudent) {
			if name == "class.html" {
				continue // the teacher's
			}
			var out bytes.Buffer
			if err := write(&out, g); err != nil {
				require.ErrorIs(t, err, ErrUndecided)
			}
			text := out.String()
			if name == "github.b64" {
				text = pretty(t, text)
			}
			assert.NotContains(t, text, secret, fmt.Sprint(name, v))
		}
	}
}
