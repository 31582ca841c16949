package progress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func file(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), ".controllerbook", "progress")
	if text != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return path
}

func TestWhatIsSavedIsLoaded(t *testing.T) {
	path := file(t, "")
	s, err := Load(path)
	require.NoError(t, err)
	s.Record([]outcome.Result{
		{Lab: "01-goroutines", Case: "keeps-order", Verdict: verdict.Pass},
		{Lab: "01-goroutines", Case: "no-tasks", Verdict: verdict.DataRace},
		{Lab: "01-goroutines", Case: "ours", Verdict: verdict.CheckerError},
	})
	s.Hinted("02-channels", "range", 2)
	require.NoError(t, s.Save())

	again, err := Load(path)
	require.NoError(t, err)
	assert.Empty(t, again.Damage)
	assert.Equal(t, verdict.Pass, again.Verdict("01-goroutines", "keeps-order"))
	assert.Equal(t, verdict.DataRace, again.Verdict("01-goroutines", "no-tasks"))
	assert.Empty(t, again.Verdict("01-goroutines", "ours"), "a failure of the checker is no progress of the learner")
	assert.Equal(t, 2, again.Hints("02-channels", "range"))
	assert.Equal(t, "01-goroutines", again.Last())
	again.Record([]outcome.Result{
		{Lab: "02-channels", Case: "range", Verdict: verdict.NotImplemented},
		{Lab: "03-backpressure", Case: "full", Verdict: verdict.CheckerError},
	})
	assert.Equal(t, "01-goroutines", again.Last(), "to run a stub is not to work on it")

	again.Forget("01-goroutines")
	require.NoError(t, again.Save())
	third, err := Load(path)
	require.NoError(t, err)
	assert.Empty(t, third.Verdict("01-goroutines", "keeps-order"))
	assert.Equal(t, 2, third.Hints("02-channels", "range"))
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	assert.Len(t, left, 1, "a temporary file was left behind")
}

func TestADamagedFileKeepsWhatMakesSense(t *testing.T) {
	for name, text := range map[string]string{
		"cut":       "controllerbook progress 1\ncase 01-a/x pass\ncase 01-a/y pa",
		"nonsense":  "controllerbook progress 1\n\x00\x01\xff\ncase 01-a/x pass\n",
		"no header": "case 01-a/x pass\n",
		"verdict":   "controllerbook progress 1\ncase 01-a/x pass\ncase 01-a/y excellent\n",
		"hint":      "controllerbook progress 1\ncase 01-a/x pass\nhint 01-a/y -3\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t, text)
			s, err := Load(path)
			require.NoError(t, err)
			assert.NotEmpty(t, s.Damage)
			assert.Equal(t, verdict.Pass, s.Verdict("01-a", "x"))
			require.NoError(t, s.Save())
			kept, err := os.ReadFile(path + ".damaged")
			require.NoError(t, err)
			assert.Equal(t, text, string(kept), "the damaged file was not kept as it was")
			again, err := Load(path)
			require.NoError(t, err)
			assert.Empty(t, again.Damage, "the rebuilt file is damaged too")
		})
	}
}

func TestAHugeFileIsDamage(t *testing.T) {
	s, err := Load(file(t, strings.Repeat("case a/b pass\n", 100_000)))
	require.NoError(t, err)
	assert.NotEmpty(t, s.Damage)
}

func TestAFileFromTheFutureIsLeftAlone(t *testing.T) {
	text := "controllerbook progress 7\nlab 01 mastered\n"
	path := file(t, text)
	_, err := Load(path)
	require.ErrorIs(t, err, ErrFuture)
	now, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, text, string(now))
}
