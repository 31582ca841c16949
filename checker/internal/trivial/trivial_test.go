package trivial

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small is a lab with one of everything that a result may be.
var small = Lab{
	Kit: map[string][]byte{"kit.go": []byte(`package kit

func TODO(what string) error { return nil }

type Getter[T any] interface{ Get() T }

type Closer interface {
	Getter[int]
	Close()
}

type Nothing struct{}

func (Nothing) Get() int { return 0 }
func (Nothing) Close()   {}
`)},
	Stub: map[string][]byte{"a.go": []byte(`package a

import (
	"context"

	"example.com/labs/kit"
)

// Box holds a value.
type Box[T any] struct{ v T }

// Given stands in the stub whole.
func Given() int { return 7 }

func New[T any](v T, more ...T) *Box[T] {
	panic(kit.TODO("New"))
}

func (b *Box[T]) Get() T { panic(kit.TODO("Box.Get")) }

func Each(ctx context.Context, in <-chan int, f func(ctx context.Context, n int) error, all ...func()) (<-chan int, error) {
	panic(kit.TODO("Each"))
}

func All[T any](b Box[T]) (kit.Getter[T], kit.Closer, Box[T], func(n int) bool, map[string]T, context.Context) {
	panic(kit.TODO("All"))
}

func Same(in []int, more ...string) ([]int, []string) { panic(kit.TODO("Same")) }
`)},
	Solution: map[string][]byte{"a.go": []byte(`package a

import (
	"context"
	"sync"

	"example.com/labs/kit"
)

type Box[T any] struct{ v T }

func Given() int { return 7 }

func New[T any](v T, more ...T) *Box[T] { return make1(v) }

func make1[T any](v T) *Box[T] { return &Box[T]{v} }

func (b *Box[T]) Get() T { return b.v }

func Each(ctx context.Context, in <-chan int, f func(ctx context.Context, n int) error, all ...func()) (<-chan int, error) {
	var wg sync.WaitGroup
	wg.Wait()
	return in, nil
}

func All[T any](b Box[T]) (kit.Getter[T], kit.Closer, Box[T], func(n int) bool, map[string]T, context.Context) {
	return nil, nil, b, nil, nil, nil
}

func Same(in []int, more ...string) ([]int, []string) { return in, more }
`)},
}

func TestPrograms(t *testing.T) {
	programs, err := small.Programs()
	require.NoError(t, err)
	text := map[string]string{}
	for _, p := range programs {
		text[p.Name] = string(p.Files["a.go"])
		compiles(t, p)
		assert.Contains(t, text[p.Name], "func Given() int { return 7 }", "what the stub gives stays")
		assert.NotContains(t, text[p.Name], "panic(")
	}
	assert.ElementsMatch(t, []string{"zeros", "made", "echo", "closed", "called"}, slices.Collect(maps.Keys(text)))

	each := func(program, function string) string { return body(t, text[program], function) }
	assert.Equal(t, "return *new(<-chan int), *new(error)", each("zeros", "Each"))
	assert.Equal(t, "return make(<-chan int), *new(error)", each("made", "Each"))
	assert.Equal(t, "return in, *new(error)", each("echo", "Each"))
	assert.Equal(t, "ch1 := make(chan int) close(ch1) return ch1, *new(error)", each("closed", "Each"))
	assert.Equal(t, "if f != nil { f(ctx, *new(int)) } for _, each := range all { each() } return *new(<-chan int), *new(error)", each("called", "Each"))

	assert.Equal(t, "return new(Box[T])", each("made", "New"))
	assert.Equal(t, "return new(Box[T]), new(kit.Nothing), *new(Box[T]), func(int) bool { return *new(bool) }, map[string]T{}, context.Background()",
		strings.Replace(each("made", "All"), "func(int) (bool)", "func(int) bool", 1))
	assert.Equal(t, "return in, more", each("echo", "Same"))
}

func TestAProgramThatIsTheSameIsLeftOut(t *testing.T) {
	lab := Lab{Stub: map[string][]byte{"a.go": []byte("package a\n\nfunc F() { panic(kit.TODO(\"F\")) }\n")}}
	programs, err := lab.Programs()
	require.NoError(t, err)
	require.Len(t, programs, 1)
	assert.Equal(t, "zeros", programs[0].Name)
}

func TestOneFunction(t *testing.T) {
	names, err := small.Functions()
	require.NoError(t, err)
	assert.Equal(t, []string{"All", "Box.Get", "Each", "New", "Same"}, names)

	only, err := small.Only("New")
	require.NoError(t, err)
	compiles(t, only)
	text := string(only.Files["a.go"])
	assert.Contains(t, text, "{ return make1(v) }", "the body, and the helper that it needs")
	assert.Contains(t, text, "return &Box[T]{v}")
	assert.Equal(t, 4, strings.Count(text, "panic(kit.TODO("))
	assert.NotContains(t, text, `"sync"`, "nothing uses it any longer")

	without, err := small.Without("Box.Get")
	require.NoError(t, err)
	compiles(t, without)
	text = string(without.Files["a.go"])
	assert.Equal(t, 1, strings.Count(text, "panic(kit.TODO("))
	assert.Contains(t, text, `panic(kit.TODO("Box.Get"))`)

	_, err = small.Without("Nobody")
	require.Error(t, err)
}

func TestTheKitIsImportedWhereTheSolutionDoesNot(t *testing.T) {
	lab := Lab{
		Stub:     map[string][]byte{"a.go": []byte("package a\n\nimport \"example.com/labs/kit\"\n\nfunc F() { panic(kit.TODO(\"F\")) }\nfunc G() { panic(kit.TODO(\"G\")) }\n")},
		Solution: map[string][]byte{"a.go": []byte("package a\n\nimport \"sort\"\n\nfunc F() { sort.Ints(nil) }\nfunc G() {}\n")},
	}
	p, err := lab.Without("F")
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(string(p.Files["a.go"]), "import"))
	assert.Contains(t, string(p.Files["a.go"]), "labs/kit\"")
}

// compiles type-checks a program. Its kit is that of the small lab.
func compiles(t *testing.T, p Program) {
	t.Helper()
	fset := token.NewFileSet()
	kit := check(t, fset, "example.com/labs/kit", string(small.Kit["kit.go"]), importer.Default())
	check(t, fset, "a", string(p.Files["a.go"]), withKit{importer.Default(), kit})
}

func check(t *testing.T, fset *token.FileSet, name, text string, from types.Importer) *types.Package {
	t.Helper()
	file, err := parser.ParseFile(fset, name, text, 0)
	require.NoError(t, err, text)
	pkg, err := (&types.Config{Importer: from}).Check(name, fset, []*ast.File{file}, nil)
	require.NoError(t, err, text)
	return pkg
}

type withKit struct {
	types.Importer
	kit *types.Package
}

func (w withKit) Import(path string) (*types.Package, error) {
	if path == w.kit.Path() {
		return w.kit, nil
	}
	return w.Importer.Import(path)
}

// body is the body of a function, on one line.
func body(t *testing.T, text, function string) string {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, 0)
	require.NoError(t, err)
	for fn := range functions(file) {
		if nameOf(fn) == function {
			from, to := fset.Position(fn.Body.Lbrace).Offset+1, fset.Position(fn.Body.Rbrace).Offset
			return strings.TrimSpace(regexp.MustCompile(`\s+`).ReplaceAllString(text[from:to], " "))
		}
	}
	t.Fatalf("no function %s", function)
	return ""
}
