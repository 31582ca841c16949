package mutate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/exportdata"
)

const crowd = `package lab

import (
	"fmt"
	"sync"
)

const few = 2

type stack[T any] struct {
	mu    sync.Mutex
	items []T
}

func (s *stack[T]) push(items ...T) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.items = append(s.items, items...)
	return len(s.items)
}

func (s *stack[T]) clear() { s.items = nil }

func first[T, U any](a T, b U, more ...int) (T, error) {
	if len(more) > few {
		return a, fmt.Errorf("more than %d", few)
	}
	return a, nil
}

func nobody(int) int { return 1 }

func quiet() {
	if recover() != nil {
		fmt.Println("quiet")
	}
}
`

func TestABundleHoldsItsMutants(t *testing.T) {
	all := mutants(t, crowd).All
	bundled, in, err := Bundle(map[string][]byte{"lab.go": []byte(crowd)}, all)
	require.NoError(t, err)
	for i, m := range all {
		alone := m.Func == "few" || m.Func == "nobody" || m.Func == "quiet"
		assert.Equal(t, !alone, in[i], m.Func)
	}
	text := string(bundled["lab.go"])
	assert.Contains(t, text, "func (s *stack[T]) push(items ...T) int { switch mutantNumber { case 2: return s.push_mutant2(items...);")
	assert.Contains(t, text, "return first_mutant", text)
	assert.Contains(t, text, "[T, U](a, b, more...);")
	assert.Contains(t, text, "func (s *stack[T]) clear() { switch mutantNumber { case ")
	assert.Contains(t, text, "_mutant")

	imports, err := exportdata.Importer(t.Context(), ".", "fmt", "os", "strconv", "sync")
	require.NoError(t, err)
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "lab.go", text, 0)
	require.NoError(t, err)
	_, err = (&types.Config{Importer: imports}).Check("lab", fset, []*ast.File{f}, nil)
	require.NoError(t, err, text)
}

func TestABundleOfNothingIsWhatItWas(t *testing.T) {
	bundled, in, err := Bundle(map[string][]byte{"a.go": []byte("package lab\n"), "b.go": []byte(small)}, nil)
	require.NoError(t, err)
	assert.Empty(t, in)
	assert.Contains(t, string(bundled["a.go"]), "mutantNumber", "one file declares it")
	assert.Equal(t, small, string(bundled["b.go"]))
}
