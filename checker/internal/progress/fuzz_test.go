package progress

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// FuzzLoad: what is read of a progress file, however damaged, is what is read again after
// it was saved, and then nothing is damaged.
func FuzzLoad(f *testing.F) {
	for _, text := range []string{
		header + "1\ncase 01-goroutines/keeps-order pass\nhint 01-goroutines/keeps-order 2\nlast 01-goroutines\n",
		header + "99\n", header + "\n", "case a/b pass\n", header + "1\ncase a pass\ncase a/b nonsense\nhint a/b -1\nhint a/b 99999999999999999999\n",
		header + "1\nlast \x1b[2J\nlast a b\n", "\x00\xff", "",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "progress")
		require.NoError(t, os.WriteFile(path, text, 0o600))
		s, err := Load(path)
		if err != nil {
			require.ErrorIs(t, err, ErrFuture)
			return
		}
		require.NoError(t, s.Save())
		again, err := Load(path)
		require.NoError(t, err)
		assert.Empty(t, again.Damage)
		assert.Equal(t, s.verdicts, again.verdicts)
		assert.Equal(t, s.hints, again.hints)
		assert.Equal(t, s.last, again.last)
		if s.Damage != "" {
			kept, err := os.ReadFile(path + ".damaged")
			require.NoError(t, err)
			assert.Equal(t, text, kept, "the damaged file is not kept as it was")
		}
	})
}
