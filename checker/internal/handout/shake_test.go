package handout

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// shaken prints a module of one main package, and of others by directory.
func shaken(t *testing.T, files map[string]string) map[string]string {
	root := t.TempDir()
	for name, text := range files {
		full := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(full), 0o755))
		require.NoError(t, os.WriteFile(full, []byte(text), 0o644))
	}
	m := newModule(root, nil)
	require.NoError(t, m.load("checker"))
	m.shake()
	out := map[string]string{}
	for _, p := range m.packages {
		for _, f := range p.files {
			text, err := m.print(p, f)
			require.NoError(t, err)
			if text != nil {
				out[f.path] = string(text)
			}
		}
	}
	return out
}

const example = `// Package main is an example.
package main

import (
	"fmt"
	"os"

	"github.com/controllerbook/controllerbook/checker/internal/words"
)

// A comment that stands by itself.

// main is needed.
func main() { fmt.Println(words.Said, t.String()) }

var (
	// t is needed.
	t thing
	// gone is not.
	gone = os.Args
)

type thing struct{ n number }

// String may be what an interface wants.
func (thing) String() string { return "" }

func (thing) secret() {}

type number int

const (
	zero number = iota
	one
)

var _ fmt.Stringer = thing{}
var _ fmt.Stringer = other{}

type other struct{}

func (other) String() string { return "" }

func init() { _ = one }
`

const said = `package words

import (
	_ "github.com/controllerbook/controllerbook/checker/internal/effect"
)

const Said = said // trailing

const said = "x"
`

const effect = "package effect\n\nfunc init() { panic(0) }\n"

func TestWhatNobodyNeedsStaysBehind(t *testing.T) {
	out := shaken(t, map[string]string{
		"checker/main.go":                  example,
		"checker/never_test.go":            "package main\n",
		"checker/internal/words/said.go":   said,
		"checker/internal/effect/init.go":  effect,
		"checker/internal/words/unsaid.go": "//go:build linux\n\npackage words\n\nimport \"os\"\n\nvar Unsaid = os.Args\n",
	})
	assert.Equal(t, `// Package main is an example.
package main

import (
	"fmt"

	"github.com/controllerbook/controllerbook/checker/internal/words"
)

// main is needed.
func main() { fmt.Println(words.Said, t.String()) }

var (
	// t is needed.
	t thing
)

type thing struct{ n number }

// String may be what an interface wants.
func (thing) String() string { return "" }

type number int

const (
	zero number = iota
	one
)

var _ fmt.Stringer = thing{}

func init() { _ = one }
`, out["checker/main.go"])
	assert.Equal(t, said, out["checker/internal/words/said.go"])
	assert.Equal(t, effect, out["checker/internal/effect/init.go"])
	assert.Len(t, out, 3)
}
