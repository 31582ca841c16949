package similarity

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/roster"
)

func TestPassagesSayWhere(t *testing.T) {
	reference := sources(t, "../../../solutions/10-workqueue")
	text := reference["queue.go"]
	shifted := append([]byte("// A comment\n// of\n// lines.\n\n"), text...)
	r := Compare(givenTo(t, "10-workqueue"), []Submission{{"ann", reference}, {"bob", map[string][]byte{"queue.go": shifted}}}, Options{Share: Usual})
	require.Len(t, r.Pairs, 1)
	p := r.Pairs[0]
	assert.Equal(t, []any{"ann", "bob", 100, 100}, []any{p.A, p.B, p.ShareA, p.ShareB})
	require.NotEmpty(t, p.Passages)
	for _, both := range p.Passages {
		assert.LessOrEqual(t, both.A.From, both.A.To)
		assert.Equal(t, both.A.To-both.A.From, both.B.To-both.B.From, "the same lines, further down")
	}
}

func TestTheStubIsNobodys(t *testing.T) {
	given := givenTo(t, "10-workqueue")
	stub := Submission{"ann", sources(t, "../stubs/10-workqueue")}
	r := Compare(given, []Submission{stub, {"bob", stub.Files}}, Options{})
	assert.Equal(t, Result{Empty: 2}, r)
}

// TestWhatTheClassHasIsDiscounted: everybody has the same code from the lesson, and two
// have more than that in common.
func TestWhatTheClassHasIsDiscounted(t *testing.T) {
	common := string(sources(t, "../../../solutions/05-debounce")["debounce.go"])
	own := sources(t, "../../../solutions/03-backpressure")["pump.go"]
	var class []Submission
	for i := range 12 { // more than ten
		class = append(class, Submission{fmt.Sprintf("s%02d", i), map[string][]byte{"a.go": []byte(common)}})
	}
	for _, i := range []int{3, 7} {
		class[i].Files["b.go"] = own
	}
	r := Compare(nil, class, Options{Share: Usual})
	require.Len(t, r.Pairs, 1, "only those who share more than the class does")
	assert.Equal(t, []string{"s03", "s07"}, []string{r.Pairs[0].A, r.Pairs[0].B})
	assert.NotZero(t, r.Discounted)
	assert.Len(t, r.Crowd, 10, "those who have nothing else are named, though no pair of them is")
	assert.NotContains(t, r.Crowd, "s03")
	for _, p := range r.Pairs[0].Passages {
		assert.Equal(t, "b.go", p.A.File)
	}
}

func TestBrokenSourceIsComparedTooAndHarmsNobody(t *testing.T) {
	text := string(sources(t, "../../../solutions/10-workqueue")["queue.go"])
	broken := text[:len(text)*2/3] + "\n}}}} func (( \x00 \xff \"unterminated\n"
	huge := strings.Repeat("func f() { x = append(x, y...) }\n", 200_000)
	r := Compare(nil, []Submission{
		{"ann", map[string][]byte{"queue.go": []byte(text)}},
		{"bob", map[string][]byte{"queue.go": []byte(broken)}},
		{"eve", map[string][]byte{"queue.go": []byte(huge)}},
		{"dan", map[string][]byte{"queue.go": nil}},
	}, Options{Share: Usual})
	require.Len(t, r.Pairs, 1)
	assert.Equal(t, []string{"ann", "bob"}, []string{r.Pairs[0].A, r.Pairs[0].B})
	assert.Equal(t, 1, r.Empty)
}

// TestAClassOfFiveHundredTakesSeconds: one copy among them is found, and pairs that
// share nothing cost nothing.
func TestAClassOfFiveHundredTakesSeconds(t *testing.T) {
	reference := sources(t, "../../../solutions/17-informer")
	var class []Submission
	for i := range 500 {
		class = append(class, Submission{fmt.Sprintf("s%03d", i), invented(uint64(i))})
	}
	class[100].Files = reference
	class[400].Files = disguises[len(disguises)-1].apply(t, reference)
	began := time.Now()
	r := Compare(givenTo(t, "17-informer"), class, Options{Share: Usual, Top: 50})
	t.Logf("500 submissions took %v", time.Since(began))
	require.NotEmpty(t, r.Pairs)
	assert.Equal(t, []string{"s100", "s400"}, []string{r.Pairs[0].A, r.Pairs[0].B})
}

// invented is Go that nobody else has.
func invented(seed uint64) map[string][]byte {
	r := rand.New(rand.NewPCG(seed, 1))
	operators := strings.Fields("+ - * / % & | ^ << >> && || == != < >")
	var b strings.Builder
	b.WriteString("package p\n")
	for range 20 {
		b.WriteString("func f() {\n")
		for range 20 {
			b.WriteString("\ta = b")
			for range 3 + r.IntN(8) {
				b.WriteString(" " + operators[r.IntN(len(operators))] + " c")
			}
			b.WriteString("\n")
		}
		b.WriteString("}\n")
	}
	return map[string][]byte{"a.go": []byte(b.String())}
}

func TestTheReportInEveryForm(t *testing.T) {
	reference := sources(t, "../../../solutions/10-workqueue")
	subs := []Submission{{"ann\x1b[31m", reference}, {"<b>bob</b>", reference}}
	r := Compare(nil, subs, Options{Share: Usual})
	lab := NewLab("10-workqueue", "The work queue", r, subs, map[string]roster.Student{"<b>bob</b>": {Name: "Bob\nBuilder", Group: "g"}, "ann\x1b[31m": {Group: "g"}})
	report := &Report{Schema: Schema, Caution: Caution, Share: Usual, Labs: []Lab{lab}}

	var text, page, json bytes.Buffer
	require.NoError(t, report.WriteText(&text))
	require.NoError(t, report.WriteHTML(&page))
	require.NoError(t, report.WriteJSON(&json))
	for _, form := range []string{text.String(), page.String(), json.String()} {
		assert.Contains(t, form, "not verdicts")
		assert.NotContains(t, form, "\x1b", "an ID reached the terminal or the page as it was")
	}
	assert.Contains(t, text.String(), "queue.go:")
	assert.Contains(t, text.String(), "same group")
	assert.NotContains(t, page.String(), "<b>bob")
	assert.Contains(t, page.String(), "func (")
	assert.Contains(t, json.String(), `"schema": "controllerbook/similarity/v1"`)
}
