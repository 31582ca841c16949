package page

import (
	"bytes"
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
					if !soundHTML(t, out.String()) || !resulttest.ShortAndPlain(t, out.String()) {
						t.Fatalf("%s of %.40q, %s", name, text, g.Status)
					}
				}
			}
		}
	}
}

// What a page may be made of. Nothing here runs, loads or sends anything,
// but for the script of a lab's page, word for word.
var (
	elements = set(`html head meta title style body a header nav p h1 h2 h3 h4 ul ol li main section span strong code
		div dl dt dd table caption thead tbody tr th td details summary figure figcaption svg line rect circle g text tspan footer small abbr br pre mark`)
	attributes = set(`charset name content http-equiv lang class href id tabindex aria-label aria-labelledby aria-hidden role
		scope data-label open title viewbox preserveaspectratio x y x1 x2 y1 y2 dx rx cx cy r width height text-anchor data-from data-to data-end`)
	link = regexp.MustCompile(`^(#[\w.=@%-]+|[\w.=@%-]+\.html)$`)
)

func set(s string) map[string]bool {
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
	body = strings.Replace(body, "<script>"+timelineScript+"</script>", "", 1)
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
// looks for it in the page that the student gets.
func TestStudentsSeeNothingOfHiddenCases(t *testing.T) {
	const secret = "s3cret-input"
	failed := resulttest.With(func(g *result.Grade) { g.Status, g.Problem, g.Cases = result.Failed, secret, nil })
	grades := []result.Grade{failed}
	for _, v := range verdict.All {
		grades = append(grades, resulttest.Secrets(secret, v))
	}
	for _, g := range grades {
		var out bytes.Buffer
		require.NoError(t, WriteStudent(&out, record(audience.ForStudent, g)))
		assert.NotContains(t, out.String(), secret)
	}
}
