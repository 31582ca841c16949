package similarity

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHonestPairsAreBelowTheLineAndCopiesAboveIt is where the numbers of this package
// come from. The second and third solutions in testdata were written to be different
// from the reference, so they are the honest; a class that follows the steps of one
// lesson is closer together, and what much of it has is discounted.
func TestHonestPairsAreBelowTheLineAndCopiesAboveIt(t *testing.T) {
	highest, lowest := 0, 100
	for _, lab := range honestLabs(t) {
		given := givenTo(t, lab)
		reference := sources(t, "../../../solutions/"+lab)
		for _, other := range others(t, lab) {
			share := shared(given, reference, sources(t, other))
			t.Logf("%-28s honest          %3d %%", filepath.Base(other), share)
			assert.Less(t, share, Usual, "%s is honest", other)
			highest = max(highest, share)
		}
		for _, d := range disguises {
			share := shared(given, reference, d.apply(t, reference))
			t.Logf("%-28s %-33s %3d %%", lab, d.name, share)
			assert.GreaterOrEqual(t, share, Usual, "%s is a copy with %s", lab, d.name)
			lowest = min(lowest, share)
		}
	}
	t.Logf("honest pairs share %d %% at most, disguised copies %d %% at least", highest, lowest)
}

// shared is what the more alike of two shares, in per cent.
func shared(given, a, b map[string][]byte) int {
	r := Compare(given, []Submission{{"a", a}, {"b", b}}, Options{})
	if len(r.Pairs) == 0 {
		return 0
	}
	return r.Pairs[0].most()
}

func honestLabs(t *testing.T) []string {
	dirs, err := filepath.Glob("testdata/honest/*.2")
	require.NoError(t, err)
	require.NotEmpty(t, dirs)
	for i := range dirs {
		dirs[i] = strings.TrimSuffix(filepath.Base(dirs[i]), ".2")
	}
	return dirs
}

func others(t *testing.T, lab string) []string {
	dirs, err := filepath.Glob("testdata/honest/" + lab + ".*")
	require.NoError(t, err)
	return dirs
}

func givenTo(t *testing.T, lab string) map[string][]byte {
	given := sources(t, "../stubs/"+lab)
	for name, text := range sources(t, "../../../labs/kit") {
		given["kit/"+name] = text
	}
	return given
}

// sources are the Go files of a directory. Those in testdata end in .go.txt: no tool
// shall take them for code of this module.
func sources(t *testing.T, dir string) map[string][]byte {
	files := map[string][]byte{}
	names, err := filepath.Glob(dir + "/*.go*")
	require.NoError(t, err)
	for _, n := range names {
		if strings.HasSuffix(n, "_test.go") {
			continue
		}
		text, err := os.ReadFile(n)
		require.NoError(t, err)
		files[strings.TrimSuffix(filepath.Base(n), ".txt")] = text
	}
	return files
}
