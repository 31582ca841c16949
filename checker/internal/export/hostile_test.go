package export

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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func TestHostileTexts(t *testing.T) {
	for turn, text := range resulttest.Hostile {
		for _, g := range resulttest.Shapes(text, turn) {
			for _, to := range []audience.Audience{audience.ForTeacher, audience.ForStudent} {
				for name, write := range writers(to) {
					var out bytes.Buffer
					require.NoError(t, write(&out, g), "%s of %.40q", name, text)
					harmless := checks[name[strings.LastIndexByte(name, '.'):]]
					if !harmless(t, out.String()) || !resulttest.ShortAndPlain(t, out.String()) {
						t.Fatalf("%s of %.40q, %s", name, text, g.Status)
					}
				}
			}
		}
	}
}

var checks = map[string]func(*testing.T, string) bool{
	".json": soundJSON, ".xml": soundXML, ".csv": soundCSV, ".txt": soundAnnotations,
	".b64": func(t *testing.T, text string) bool {
		return soundJSON(t, pretty(t, text)) && resulttest.ShortAndPlain(t, pretty(t, text))
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

// TestStudentsSeeNothingOfHiddenCases puts a secret wherever a submission can write, and
// looks for it in all that students get.
func TestStudentsSeeNothingOfHiddenCases(t *testing.T) {
	const secret = "s3cret-input"
	grades := []result.Grade{resulttest.With(func(g *result.Grade) { g.Status, g.Problem, g.Cases = result.Failed, secret, nil })}
	for _, v := range verdict.All {
		grades = append(grades, resulttest.Secrets(secret, v))
	}
	for i, g := range grades {
		for name, write := range writers(audience.ForStudent) {
			var out bytes.Buffer
			if err := write(&out, g); err != nil {
				require.ErrorIs(t, err, ErrUndecided)
			}
			text := out.String()
			if name == "github-classroom.b64" {
				text = pretty(t, text)
			}
			assert.NotContains(t, text, secret, fmt.Sprint(name, i))
		}
	}
}
