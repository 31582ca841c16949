package stress

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

func TestSettingsBeginQuietly(t *testing.T) {
	assert.Equal(t, []Setting{{1, 0}, {8, 0}, {1, 20}, {8, 20}}, Settings([]int{1, 8}, []int{0, 20}))
}

func TestLevelsShareTheRuns(t *testing.T) {
	for _, times := range []int{0, 1, 2, 7, 500} {
		r := runner{o: Order{Times: times}}
		sum := 0
		for i := range 3 {
			sum += r.share(i, 3).times
		}
		assert.Equal(t, times, sum)
	}
}

func TestLevelsShareTheTime(t *testing.T) {
	r := runner{end: time.Now().Add(time.Hour)}
	assert.InDelta(t, 30*time.Minute, time.Until(r.share(0, 2).end), float64(time.Minute))
	assert.InDelta(t, time.Hour, time.Until(r.share(1, 2).end), float64(time.Minute), "the last level has all that is left")
}

func report() *Report {
	r := NewReport(Settings([]int{1}, []int{0}))
	r.Subjects = []Subject{
		{"01-goroutines", "solution", []Count{
			{Case: "cheap", Runs: 4, CPU: 4 * time.Second},
			{Case: "dear", Runs: 1, CPU: 3 * time.Second},
			{Case: "not run"},
		}},
		{"02-channels", "twin", []Count{
			{Case: "broken", Runs: 2, Failures: 1, CPU: 4 * time.Second, Kept: []Failure{{Setting{1, 0}, outcome.Result{Seed: 7}}}},
		}},
	}
	return r
}

func TestReport(t *testing.T) {
	r := report()
	runs, failures := r.Runs()
	assert.Equal(t, []int{7, 1}, []int{runs, failures})
	rows, first := r.Failed()
	require.Len(t, rows, 1)
	assert.Equal(t, "broken", rows[0].Case)
	assert.EqualValues(t, 7, first[0].Seed)
	var dear []string
	for _, row := range r.Dearest(3) {
		dear = append(dear, row.Case)
	}
	assert.Equal(t, []string{"dear", "broken", "cheap"}, dear, "by the cost of one run")
}

func TestWrittenReport(t *testing.T) {
	file := filepath.Join(t.TempDir(), "not", "yet", "all.json")
	require.NoError(t, report().Write(file))
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var again Report
	require.NoError(t, json.Unmarshal(text, &again))
	assert.Equal(t, report().Subjects, again.Subjects)
	assert.Equal(t, Schema, again.Schema)
}
