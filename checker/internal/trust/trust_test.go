package trust

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const root = "../../.."

// The page in the tree is the one that the record gives: nobody wrote figures into it.
func TestThePageIsWrittenFromTheRecord(t *testing.T) {
	r, err := Read(root)
	require.NoError(t, err)
	page, err := os.ReadFile(filepath.Join(root, Page))
	require.NoError(t, err)
	assert.Equal(t, r.Markdown(), string(page), "run checker trust")
}

func TestTheNewestCounts(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "checker"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "docs"), 0o755))
	r, err := Read(dir)
	require.NoError(t, err)

	at := time.Date(2026, 11, 1, 8, 30, 0, 0, time.UTC)
	measured := func(lab, failed string) Measurement {
		return Measurement{
			Claim: "stability", Lab: lab, Figures: []string{"3", "900", failed}, Held: failed == "0",
			Command: "checker stress --all " + lab, At: at, Commit: "abc", Go: "go1.26", Machine: "linux/amd64, 2 processors", Load: "0.10", Took: time.Minute,
		}
	}
	r.Put(measured("02-channels", "0"))
	r.Put(measured("01-goroutines", "7"))
	r.Put(measured("01-goroutines", "1"))
	require.NoError(t, r.Write(dir))

	again, err := Read(dir)
	require.NoError(t, err)
	assert.Equal(t, r, again)
	page, err := os.ReadFile(filepath.Join(dir, Page))
	require.NoError(t, err)
	const want = "| 01-goroutines | 3 | 900 | 1 | **no** | `checker stress --all 01-goroutines` | abc | 2026-11-01 08:30 | 1m0s | 0.10 |\n" +
		"| 02-channels | 3 | 900 | 0 | yes | `checker stress --all 02-channels` | abc | 2026-11-01 08:30 | 1m0s | 0.10 |\n" +
		"\nMeasured with go1.26 on linux/amd64, 2 processors.\n"
	assert.Contains(t, string(page), want)
	assert.NotContains(t, string(page), "| 7 |")
	assert.Contains(t, string(page), "Not measured yet: `checker trust mutants` does.")
}

func TestARecordOfAnotherVersionIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"schema":  `{"schema": "controllerbook.trust/v0"}`,
		"claim":   `{"schema": "controllerbook.trust/v1", "measurements": [{"claim": "beauty"}]}`,
		"figures": `{"schema": "controllerbook.trust/v1", "measurements": [{"claim": "faults", "figures": ["1"]}]}`,
		"JSON":    `{`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			require.NoError(t, os.MkdirAll(filepath.Join(dir, "checker"), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(dir, File), []byte(text), 0o644))
			_, err := Read(dir)
			assert.ErrorContains(t, err, File)
		})
	}
}
