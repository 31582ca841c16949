package gotest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// TestWhatNeverEndsGetsLessTime runs code that never ends in two cases, or in all.
func TestWhatNeverEndsGetsLessTime(t *testing.T) {
	kit := testKit(t)
	kit.Budget = Budget{CPU: 3 * time.Second}
	lab := mustFind(t, "01-goroutines")
	var cases []conform.Meta
	for _, name := range []string{"no-tasks", "keeps-order", "results-are-not-raced-for", "respects-limit"} {
		c, err := lab.Case(name)
		require.NoError(t, err)
		cases = append(cases, c)
	}
	run := func(t *testing.T, body string) (less int, byVerdict map[verdict.Verdict]int) {
		b, err := kit.Build(t.Context(), submitted(t, kit, head+body))
		require.NoError(t, err)
		defer b.Remove()
		byVerdict = map[verdict.Verdict]int{}
		for _, c := range cases {
			r, err := b.Run(t.Context(), c, 1)
			require.NoError(t, err)
			byVerdict[r.Verdict]++
			if strings.Contains(r.Message, "less time than usual") {
				less++
			}
		}
		return less, byVerdict
	}
	t.Run("in all cases", func(t *testing.T) {
		less, verdicts := run(t, "\tfor {\n\t}\n}\n")
		assert.Equal(t, map[verdict.Verdict]int{verdict.Timeout: len(cases)}, verdicts)
		assert.Equal(t, len(cases)-enough, less)
	})
	t.Run("in two", func(t *testing.T) {
		less, verdicts := run(t, "\tfor len(tasks) == 0 || len(tasks) == 8 {\n\t}\n\treturn inOrder(ctx, tasks)\n}\n")
		assert.Zero(t, less)
		assert.Equal(t, map[verdict.Verdict]int{verdict.Timeout: enough, verdict.Pass: len(cases) - enough}, verdicts,
			"what is right passes within the reduced budget")
	})
}

// TestWhatNeverBegins runs code that does not end before a case begins.
func TestWhatNeverBegins(t *testing.T) {
	const notRun = "the case was not run, because in other cases an initialiser of the package, or a func init, did not end"
	const notBegun = "the case did not begin: an initialiser of the package, or a func init, does not end"
	for name, c := range map[string]struct {
		statement string
		budget    Budget
	}{
		// An hour of the wall clock: it is the processor time that ends this one.
		"spins": {"for {\n\t}", Budget{Wall: time.Hour}},
		"waits": {"time.Sleep(time.Hour)", Budget{Wall: 2 * time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			kit := testKit(t)
			kit.Budget = c.budget
			s := submitted(t, kit, head+"\treturn inOrder(ctx, tasks)\n}\n\nfunc init() {\n\t"+c.statement+"\n}\n")
			b, err := kit.Build(t.Context(), s)
			require.NoError(t, err)
			defer b.Remove()
			var said []string
			for _, c := range s.Lab.Cases[:enough+2] {
				r, err := b.Run(t.Context(), c, 1)
				require.NoError(t, err)
				assert.Equal(t, verdict.Timeout, r.Verdict)
				assert.Zero(t, r.Points)
				said = append(said, r.Message)
			}
			assert.Equal(t, []string{notBegun, notBegun, notRun, notRun}, said)
		})
	}
}

func TestAReducedBudgetIsStillMoreThanAnyReferenceUses(t *testing.T) {
	assert.Equal(t, 4*time.Second, Budget{}.reduced().cpu())
	assert.Equal(t, 20*time.Second, Budget{Wall: time.Minute}.reduced().limits().Wall)
	assert.Equal(t, time.Second, Budget{CPU: time.Second}.reduced().cpu(), "whole seconds, and never none")
}
