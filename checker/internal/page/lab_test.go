package page

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/explain"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/timeline"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// gather is a file that Ada's grade names.
const gather = "labs/01-example/gather.go"

// code has enough lines for every place that Ada's grade names.
func code() Sources {
	lines := strings.Repeat("\tresults[i] = task(ctx) // < & >\n", 80)
	return Sources{gather: []byte("package example\n\nfunc Gather() {\n" + lines + "}\n")}
}

// drawn is Ada's grade with everything that is drawn.
func drawn() result.Grade {
	history := []wire.Event{
		{Who: "test", What: "New(server)", Began: 1, Returned: 2},
		{Who: "worker", What: "Run(ctx)", Open: true, Began: 3},
		{Who: "server", What: "list", Result: "[a@7]", Began: 4, Returned: 6, Took: 2 * time.Second},
		{Who: "test", What: "Len()", Result: "1", At: time.Second, Began: 5, Returned: 7, Took: time.Second},
		{Who: "server", What: "a second watch is open", At: time.Hour, Began: 8, Broke: true},
		{Who: "test", What: "one watch at a time", At: time.Hour, Began: 9, Checked: true},
	}
	at := outcome.Location{File: gather, Line: 12, Func: "Gather"}
	return resulttest.With(func(g *result.Grade) {
		g.Cases[0].History = history
		g.Cases[1].Verdict = verdict.Deadlock
		g.Cases[1].Goroutines = []outcome.Goroutine{{State: "chan send", At: at, Started: at, Count: 4}, {State: "sync.WaitGroup.Wait", At: at, Count: 1}}
		g.Cases[3].History = history[:4]
	})
}

// lab is the page of a run by a learner.
func lab(g result.Grade) Run {
	return Run{Title: "Report of lab 1", Grade: audience.Reader{To: audience.ForLearner, Book: resulttest.SmallBook()}.Grade(g), Code: code()}
}

func TestLabPage(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, WriteLab(&out, lab(drawn())))
	golden(t, "lab.html", out.String())
}

func TestHostileTextsOnTheLabPage(t *testing.T) {
	for turn, text := range resulttest.Hostile {
		for _, g := range resulttest.Shapes(text, turn) {
			run := lab(g)
			run.Code[text] = []byte(strings.Repeat(text+"\n", 20))
			var out bytes.Buffer
			require.NoError(t, WriteLab(&out, run), "%.40q", text)
			if !soundHTML(t, out.String()) || !resulttest.ShortAndPlain(t, out.String()) {
				t.Fatalf("%.40q, %s", text, g.Status)
			}
		}
	}
}

// TestALongHistoryIsDrawnInStrips also holds what is drawn within its strip.
func TestALongHistoryIsDrawnInStrips(t *testing.T) {
	var events []wire.Event
	for i := range 200 {
		events = append(events, wire.Event{
			Who: []string{"test", "worker 1", "worker 2"}[i%3], What: strings.Repeat("word ", i%20), At: time.Duration(i*i) * time.Second,
			Began: 2*i + 1, Returned: 2*i + 2 + i%5, Open: i%17 == 0,
		})
	}
	p := newTimeline(timeline.New(events, maxDrawn))
	assert.Greater(t, len(p.Strips), 3)
	next := 0
	for _, s := range p.Strips {
		assert.Equal(t, next, s.From, "the strips follow each other")
		next = s.To + 1
		for _, m := range s.Marks {
			assert.GreaterOrEqual(t, m.X, nameWidth)
			assert.LessOrEqual(t, m.X+m.W, stripWidth+barHeight, m.Title)
			assert.Less(t, m.Y, s.Foot)
			if !m.End {
				assert.LessOrEqual(t, m.TextX+textWidth(m.Text), stripWidth, m.Text)
			}
		}
	}
	assert.Equal(t, p.Last+1, next)
}

func TestExcerpts(t *testing.T) {
	x := code().excerpt([]spot{{gather, 3}})
	assert.Equal(t, gather+", lines 3 to 18", x.Title)
	assert.True(t, x.Lines[0].Here)
	x = code().excerpt([]spot{{gather, 20}, {gather, 24}})
	assert.Equal(t, gather+", lines 15 to 29", x.Title)
	var e explain.Explanation
	e.Next.At = outcome.Location{File: gather, Line: 2000} // the file has changed since
	assert.Empty(t, code().excerpts(e))
}
