package realtest

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write ../cases.json")

// The command knows the cases by a file, because a package of the checker links no suite.
func TestTheFileOfTheCasesIsInStep(t *testing.T) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	require.NoError(t, e.Encode(Describe()))
	const file = "../cases.json"
	if *update {
		require.NoError(t, os.WriteFile(file, b.Bytes(), 0o644))
	}
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, b.String(), string(text), "go test ./checker/internal/real/realtest -update")
}

func TestEveryCaseSaysWhatItIsAbout(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Describe() {
		assert.False(t, seen[c.Name], "%s stands twice", c.Name)
		seen[c.Name] = true
		assert.NotEmpty(t, c.Labs, c.Name)
		for field, value := range map[string]string{"Func": c.Func, "Rule": c.Rule, "Why": c.Why, "Source": c.Source} {
			assert.NotEmpty(t, value, "case %s lacks its %s", c.Name, field)
		}
		assert.NotEmpty(t, c.Hint, c.Name)
	}
}
