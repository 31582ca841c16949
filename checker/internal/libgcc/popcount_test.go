//go:build race && linux && amd64

package libgcc

import (
	"math/bits"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPopcount(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	numbers := []uint64{0, 1, 1 << 63, 1<<64 - 1}
	for range 10_000 {
		numbers = append(numbers, rng.Uint64(), rng.Uint64()&rng.Uint64()&rng.Uint64())
	}
	for _, x := range numbers {
		require.EqualValues(t, bits.OnesCount64(x), popcount(x), "%b", x)
	}
}

// TestTheLinkerNeedsNoLibrary: programs that import the package can be linked without libgcc,
// one with cgo among them. One that does not import it cannot.
func TestTheLinkerNeedsNoLibrary(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	link := func(what string) (string, error) {
		cmd := exec.Command("go", "test", "-c", "-race", "-ldflags=-libgcc=none", "-o", filepath.Join(t.TempDir(), "x.test"), what)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	for _, linked := range []string{"./checker/internal/conform", "./checker/internal/bridges/servers"} {
		out, err := link(linked)
		assert.NoError(t, err, out)
	}
	out, err := link("./checker/internal/verdict")
	assert.ErrorContains(t, err, "exit status", "nothing is missing: is the package still of use?")
	assert.Contains(t, out, "__popcountdi2")
}
