package handout

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

// TestTheSearchFindsWhatIsPlanted: a search that finds nothing proves nothing unless it
// is known to find.
func TestTheSearchFindsWhatIsPlanted(t *testing.T) {
	s, err := collect(root(t))
	require.NoError(t, err)
	lab := suites.All()[0]
	fault := faultsOf(t, lab)[0]
	hidden := lab.Cases[0]
	for _, c := range lab.Cases {
		if !c.Public {
			hidden = c
		}
	}
	solution, err := os.ReadFile(filepath.Join(root(t), lab.SolutionPath(), lab.Files[0]))
	require.NoError(t, err)
	words := strings.Fields(hidden.Rule)
	planted := map[string]string{
		"a name":              "see " + hidden.Name + ".",
		"a name of one word":  "see `converges`.",
		"a rule":              "x " + hidden.Rule + " y",
		"a rule, wrapped":     "// " + strings.Join(words[:4], " ") + "\n//   " + strings.Join(words[4:], " "),
		"a hint":              hidden.Hint[len(hidden.Hint)-1],
		"the name of a fault": `"` + fault.Name + `"`,
		"a mistake":           fault.Mistake,
		"a solution":          string(solution),
	}
	for what, text := range planted {
		assert.NotEmpty(t, s.Search(tree{"labs/README.md": []byte(text)}), "%s was not found", what)
		if what != "a rule, wrapped" && what != "a solution" && what != "the name of a fault" && what != "a name of one word" {
			assert.NotEmpty(t, s.SearchBinary("checker", []byte("\x00abc"+text+"def\x00")), "%s was not found in a binary", what)
		}
	}
	assert.Empty(t, s.Search(tree{"labs/README.md": []byte("Nothing to see: `" + lab.Cases[0].Name + "`.")}))
}
