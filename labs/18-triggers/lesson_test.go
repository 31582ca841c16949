package triggers_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	triggers "github.com/controllerbook/controllerbook/solutions/18-triggers"
)

// TestLessonTable keeps the table of costs in the lesson true: it is what these
// strategies do in this weather, and not what somebody once wrote down.
func TestLessonTable(t *testing.T) {
	lesson, err := os.ReadFile("../../labs/18-triggers/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if want := table(); !strings.Contains(string(lesson), want) {
		t.Errorf("the lesson lacks this table, or has another one:\n%s", want)
	}
}

func table() string {
	weathers := []struct {
		name string
		triggers.Weather
	}{
		{"perfect", triggers.Weather{}},
		{"half are late", triggers.Weather{Delayed: 50}},
		{"a tenth is doubled", triggers.Weather{Doubled: 10}},
		{"a third is lost", triggers.Weather{Lost: 33}},
		{"all of that", triggers.Weather{Lost: 33, Doubled: 10, Delayed: 50}},
	}
	strategies := []struct {
		name string
		open func(triggers.Cluster) triggers.Strategy
	}{
		{"Edge", func(c triggers.Cluster) triggers.Strategy { return triggers.NewEdge(c) }},
		{"Level", func(c triggers.Cluster) triggers.Strategy { return triggers.NewLevel(c) }},
		{"LevelResync(20)", func(c triggers.Cluster) triggers.Strategy { return triggers.NewLevelResync(c, 20) }},
	}
	var b strings.Builder
	b.WriteString("| stream | strategy | converged | drift | settled | lag | delivered | lists | reads | writes |\n|---|---|---|---|---|---|---|---|---|---|\n")
	for _, w := range weathers {
		for _, s := range strategies {
			r := triggers.Simulate(triggers.Storm(1, 100, w.Weather), s.open)
			end := "no"
			if r.Converged() {
				end = "**yes**"
			}
			fmt.Fprintf(&b, "| %s | `%s` | %s | %d | %d | %d | %d | %d | %d | %d |\n",
				w.name, s.name, end, r.Drift, r.Settled, r.Lag, r.Delivered, r.Lists, r.Reads, r.Writes)
		}
	}
	return b.String()
}
