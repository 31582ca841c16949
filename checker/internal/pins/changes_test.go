package pins

import (
	"bytes"
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/exportdata"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
)

const apiStub = `package lab

import (
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DefaultPeriod is the period of a resync.
const DefaultPeriod = 30 * time.Second

// MaxRetries is a plain number.
const MaxRetries = 5

type Policy int

const (
	Block Policy = iota
	DropNewest
)

var ErrClosed = errors.New("closed")

var Fallback kit.Queue[string]

type Box[T any] struct{ Value T }

type Number interface{ Int() int }

type Func = func(ctx context.Context) error

type Handler func(ctx context.Context, data []byte) (any, error)

type Waiter interface {
	Wait(ctx context.Context) error
	Done() <-chan struct{}
}

type Options struct {
	Period time.Duration
	Name   string
	OnStop func(err error)
	kit.ObjectMeta
	hidden int
}

type Queue[T comparable] struct {
	Clock func() time.Time
	items []T
}

func NewQueue[T comparable](opts ...Option) *Queue[T] { panic(kit.TODO("NewQueue")) }

func (q *Queue[T]) Add(item T) { panic(kit.TODO("Queue.Add")) }

func (q *Queue[T]) Get() (item T, shutdown bool) { panic(kit.TODO("Queue.Get")) }

func (o Options) String() string { return o.Name }

type Option func(*settings)

type settings struct{ n int }

func (s *settings) Exported() {}

func Map[J, R any](ctx context.Context, jobs <-chan J, work func(ctx context.Context, job J) (R, error)) ([]R, error) {
	panic(kit.TODO("Map"))
}

func helper(a int) {}
`

// checker compiles, as far as types go: what it says is what the compiler would.
type checker struct {
	types.Importer
	subject *types.Package
}

// imported has the types of the packages that the made-up lab imports.
var imported = sync.OnceValues(func() (types.Importer, error) {
	return exportdata.Importer(context.Background(), "../../..", module+"labs/kit", "context", "errors", "time")
})

func newChecker(t *testing.T) *checker {
	imports, err := imported()
	require.NoError(t, err)
	return &checker{Importer: imports}
}

func (c *checker) Import(path string) (*types.Package, error) {
	if path == "example.com/lab" {
		return c.subject, nil
	}
	return c.Importer.Import(path)
}

// check returns a package and what is wrong with it, as the compiler would write it.
func (c *checker) check(t *testing.T, path, name string, source []byte) (*types.Package, string) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.SkipObjectResolution)
	require.NoError(t, err, "%s", source)
	var said bytes.Buffer
	config := types.Config{Importer: c, Error: func(err error) { fmt.Fprintln(&said, err) }}
	pkg, _ := config.Check(path, fset, []*ast.File{file}, nil)
	return pkg, said.String()
}

// changes puts the made-up lab, edited, before the pins of its stub.
func changes(t *testing.T, edits ...string) []gate.Violation {
	t.Helper()
	c := newChecker(t)
	stub, wrong := c.check(t, "example.com/lab", "lab.go", []byte(apiStub))
	require.Empty(t, wrong)
	text, err := generate(Lab{Package: "lab", Bridged: "example.com/lab"}, stub)
	require.NoError(t, err)
	source := apiStub
	for i := 0; i < len(edits); i += 2 {
		require.Equal(t, 1, strings.Count(source, edits[i]), "%q must stand once", edits[i])
		source = strings.Replace(source, edits[i], edits[i+1], 1)
	}
	c.subject, wrong = c.check(t, "example.com/lab", "lab.go", []byte(source))
	require.Empty(t, wrong, "the edited lab must compile by itself")
	_, said := c.check(t, "example.com/bridges/lab", "bridges/lab/pins.go", text)
	found := Changes(said, "bridges/lab/pins.go", text, map[string][]byte{"lab.go": []byte(apiStub)}, map[string][]byte{"lab.go": []byte(source)})
	if said != "" {
		assert.NotEmpty(t, found, "what the compiler says is not understood: %s", said)
	}
	return found
}

// edits are changes to the made-up lab that must be noticed, and what must be said.
var edits = []struct {
	name  string
	edits []string
	want  string // in the message
}{
	{"constant gone", []string{"const MaxRetries = 5", ""}, "MaxRetries is gone; the lab needs: const MaxRetries = 5"},
	{"constant became a variable", []string{"const MaxRetries", "var MaxRetries"}, "const MaxRetries = 5"},
	{"constant of another value", []string{"MaxRetries = 5", "MaxRetries = 6"}, "const MaxRetries = 5"},
	{"constant of another type", []string{"Block Policy = iota", "Block = iota"}, ""},
	{"constant in a group gone", []string{"\tDropNewest\n", ""}, "DropNewest is gone; the lab needs: const DropNewest Policy"},
	{"variable gone", []string{`var ErrClosed = errors.New("closed")`, `var errClosed = errors.New("closed")`}, "ErrClosed is gone"},
	{"variable became a constant", []string{`var ErrClosed = errors.New("closed")`, `const ErrClosed = "closed"; var _ = errors.New`}, "var ErrClosed"},
	{"variable of another type", []string{"kit.Queue[string]\n", "kit.Queue[int]\n"}, "var Fallback kit.Queue[string]"},
	{"type gone", []string{"type Policy int", "type policy int", "Policy = iota", "policy = iota"}, "type Policy int"},
	{"type of another kind", []string{"type Policy int", "type Policy string", "Policy = iota", "Policy = `0`"}, "type Policy int"},
	{"type became an alias", []string{"type Policy int", "type Policy = int"}, "type Policy int"},
	{"alias became a type", []string{"type Func = func", "type Func func"}, "type Func = func(ctx context.Context) error"},
	{"alias of another type", []string{"Func = func(ctx context.Context) error", "Func = func() error; var _ context.Context"}, "type Func"},
	{"function type", []string{"data []byte", "data string"}, "type Handler func(ctx context.Context, data []byte) (any, error)"},
	{"method of an interface", []string{"\tDone() <-chan struct{}\n", ""}, "type Waiter interface"},
	{"method too many in an interface", []string{"\tDone() <-chan struct{}\n", "\tDone() <-chan struct{}\n\tMore()\n"}, "type Waiter interface"},
	{"direction of a channel", []string{"Done() <-chan struct{}", "Done() chan struct{}"}, "type Waiter interface { Wait(ctx context.Context) error; Done() <-chan struct{} }"},
	{"field gone", []string{"\tPeriod time.Duration\n", ""}, "The field Options.Period"},
	{"field of another type", []string{"\tPeriod time.Duration\n", "\tPeriod int\n"}, "the lab needs: Period time.Duration"},
	{"embedded field gone", []string{"\tkit.ObjectMeta\n", ""}, "Options.ObjectMeta"},
	{"embedded field became a field", []string{"\tkit.ObjectMeta\n", "\tObjectMeta kit.ObjectMeta\n"}, "Options.ObjectMeta"},
	{"struct became a map", []string{"type Queue[T comparable] struct {\n\tClock func() time.Time\n\titems []T\n}", "type Queue[T comparable] map[string]T"}, "The field Queue.Clock is not declared as in the stub; the lab needs: Clock func() time.Time"},
	{"narrower constraint of a type", []string{"type Box[T any]", "type Box[T comparable]"}, "type Box[T any] struct { Value T }"},
	{"variable of a narrower type", []string{`errors.New("closed")`, `closed{}; type closed struct{}; func (closed) Error() string { return errors.ErrUnsupported.Error() }`}, "var ErrClosed"},
	{"interface became a struct", []string{"type Number interface{ Int() int }", "type Number struct{}"}, "type Number interface"},
	{"type parameters", []string{"type Box[T any]", "type Box[T, U any]"}, "type Box[T any]"},
	{"function gone", []string{"func NewQueue[", "func newQueue["}, "NewQueue is gone; the lab needs: func NewQueue[T comparable](opts ...Option) *Queue[T]"},
	{"not variadic", []string{"opts ...Option", "opts []Option"}, "func NewQueue"},
	{"result", []string{"...Option) *Queue[T]", "...Option) (*Queue[T], error)"}, "func NewQueue"},
	{"method gone", []string{"func (q *Queue[T]) Add(", "func (q *Queue[T]) add("}, "Add is gone; the lab needs: func (q *Queue[T]) Add(item T)"},
	{"method became a function", []string{"func (q *Queue[T]) Add(item T)", "func Add[T comparable](q *Queue[T], item T)"}, "Add is gone"},
	{"results swapped", []string{"(item T, shutdown bool)", "(shutdown bool, item T)"}, "func (q *Queue[T]) Get() (item T, shutdown bool)"},
	{"pointer receiver", []string{"(o Options) String", "(o *Options) String"}, "func (o Options) String() string"},
	{"function constraint", []string{"Map[J, R any]", "Map[J, R comparable]"}, "func Map[J, R any]"},
	{"parameters swapped", []string{"ctx context.Context, jobs <-chan J,", "jobs <-chan J, ctx context.Context,"}, "func Map"},
	{"type parameters swapped", []string{"Map[J, R any]", "Map[R, J any]"}, "func Map"},
	{"function became a variable", []string{"func NewQueue[T comparable](opts ...Option) *Queue[T] {", "var NewQueue = func(opts ...Option) *Queue[int] {"}, "NewQueue is not declared as in the stub"},
	{"package of a type", []string{"type Handler func(ctx context.Context,", "type Context interface{ context.Context }\n\ntype Handler func(ctx Context,"}, "type Handler func(ctx context.Context, data []byte) (any, error)"},
}

func TestChanged(t *testing.T) {
	for _, c := range edits {
		t.Run(c.name, func(t *testing.T) {
			found := changes(t, c.edits...)
			require.NotEmpty(t, found)
			var messages []string
			for _, v := range found {
				assert.Equal(t, gate.API, v.Kind, v.Message)
				assert.Equal(t, "lab.go", v.File)
				assert.Positive(t, v.Line)
				assert.NotEmpty(t, v.Help)
				assert.NotContains(t, v.Message, "subject.")
				messages = append(messages, v.Message)
			}
			assert.Contains(t, strings.Join(messages, "\n"), c.want)
		})
	}
}

// liberties are what a learner may do to the made-up lab.
var liberties = []struct {
	name  string
	edits []string
}{
	{"nothing", nil},
	{"names of parameters", []string{"Add(item T)", "Add(x T)", "(item T, shutdown bool)", "(T, bool)"}},
	{"names of type parameters", []string{"Map[J, R any](ctx context.Context, jobs <-chan J, work func(ctx context.Context, job J) (R, error)) ([]R, error)",
		"Map[In, Out any](ctx context.Context, jobs <-chan In, work func(context.Context, In) (Out, error)) (out []Out, err error)"}},
	{"name of the receiver and its parameter", []string{"(q *Queue[T]) Get() (item T, shutdown bool)", "(queue *Queue[Item]) Get() (Item, bool)"}},
	{"receiver without a name", []string{"(q *Queue[T]) Add(item T)", "(*Queue[T]) Add(T)"}},
	{"receiver parameter unused", []string{"func helper", "func (*Queue[_]) Len() int { return 0 }\nfunc helper"}},
	{"value receiver", []string{"(q *Queue[T]) Add", "(q Queue[T]) Add"}},
	{"unexported field", []string{"hidden int", "hidden, more map[string]int"}},
	{"unexported field gone", []string{"\thidden int\n", ""}},
	{"exported field more", []string{"hidden int", "Hidden int"}},
	{"order of fields", []string{"\tPeriod time.Duration\n", "", "hidden int", "hidden int\n\tPeriod time.Duration"}},
	{"fields together", []string{"\titems []T\n", "\tn, Now func() time.Time\n"}},
	{"any written out", []string{"(any, error)\n", "(interface{}, error)\n"}},
	{"byte as uint8", []string{"data []byte", "data []uint8"}},
	{"own alias in a signature", []string{"func helper", "type stream[T any] = chan T\ntype times = time.Time\nfunc helper", "Clock func() time.Time", "Clock func() times"}},
	{"order in an interface", []string{"\tWait(ctx context.Context) error\n", "", "struct{}\n}", "struct{}\n\tWait(context.Context) error\n}"}},
	{"renamed import", []string{"\t\"context\"\n", "\tctxpkg \"context\"\n", "type Func = func(ctx context.Context)", "type Func = func(ctx ctxpkg.Context)",
		"type Handler func(ctx context.Context,", "type Handler func(ctx ctxpkg.Context,", "Wait(ctx context.Context)", "Wait(ctx ctxpkg.Context)",
		"Map[J, R any](ctx context.Context, jobs <-chan J, work func(ctx context.Context,", "Map[J, R any](ctx ctxpkg.Context, jobs <-chan J, work func(ctx ctxpkg.Context,"}},
	{"unexported type renamed", []string{"func(*settings)", "func(*config)", "type settings", "type config", "(s *settings)", "(s *config)"}},
	{"method of an unexported type gone", []string{"func (s *settings) Exported() {}", ""}},
	{"unexported function gone", []string{"func helper(a int) {}", ""}},
	{"exported more", []string{"func helper", "func Helper() {}\ntype More struct{}\nconst Another = 1\nfunc helper"}},
	{"constant as an expression", []string{"= 30 * time.Second", "= time.Minute / 2"}},
	{"constants in one group", []string{"const MaxRetries = 5", "const (\n\tmin = 1\n\tMaxRetries int = 5\n)"}},
	{"constants one by one", []string{"const (\n\tBlock Policy = iota\n\tDropNewest\n)", "const Block Policy = 0\nconst DropNewest Policy = 1"}},
	{"constants by conversion", []string{"Block Policy = iota", "Block = Policy(iota)"}},
	{"variable with its type", []string{`var ErrClosed =`, `var ErrClosed error =`}},
	{"other value", []string{`New("closed")`, `New("the queue is closed")`}},
	{"types in one group", []string{"type Policy int", "type (\n\tPolicy int\n\tother int\n)"}},
	{"struct of another name", []string{"type Queue[T comparable] struct", "type Queue[T comparable] struct /* mine */"}},
	{"embedded method", []string{"type Queue[T comparable] struct {", "type base[T any] struct{}\nfunc (*base[T]) Add(T) {}\ntype Queue[T comparable] struct {\n\tbase[T]", "func (q *Queue[T]) Add(item T) { panic(kit.TODO(\"Queue.Add\")) }", ""}},
	{"parentheses", []string{"<-chan struct{}", "(<-chan (struct{}))"}},
	{"wider constraint", []string{"type Queue[T comparable]", "type Queue[T any]"}},
}

func TestKept(t *testing.T) {
	for _, c := range liberties {
		t.Run(c.name, func(t *testing.T) {
			assert.Empty(t, changes(t, c.edits...))
		})
	}
}

// A change is reported once, at the subject's own line, whatever it brings with it.
func TestChangesArePlaced(t *testing.T) {
	found := changes(t, "(q *Queue[T]) Add(item T)", "(q *Queue[T]) Add(item T, more ...T)",
		"\tClock func() time.Time\n", "", "const MaxRetries = 5", "")
	require.Len(t, found, 3)
	line := func(before string) int {
		source := strings.NewReplacer("const MaxRetries = 5", "", "\tClock func() time.Time\n", "").Replace(apiStub)
		return 1 + strings.Count(source[:strings.Index(source, before)], "\n")
	}
	for i, want := range []struct {
		line    int
		message string
	}{
		{1, "MaxRetries is gone; the lab needs: const MaxRetries = 5"},
		{line("type Queue["), "The field Queue.Clock is not declared as in the stub; the lab needs: Clock func() time.Time"},
		{line("func (q *Queue[T]) Add"), "Add is not declared as in the stub; the lab needs: func (q *Queue[T]) Add(item T)"},
	} {
		assert.Equal(t, want.line, found[i].Line, found[i].Message)
		assert.Equal(t, want.message, found[i].Message)
	}
}

// What the compiler says of other files is not the pins' to explain.
func TestOtherErrorsAreNoChanges(t *testing.T) {
	for _, said := range []string{"", "labs/01/a.go:3:1: undefined: x\n", "bridges/lab/bridge.go:7:1: undefined: subject.New\n", "x/bridges/lab/pins.go:5:1: no\n"} {
		assert.Empty(t, Changes(said, "bridges/lab/pins.go", []byte("package lab\n\nvar _ = 1 // New\n"), map[string][]byte{"a.go": []byte("package lab\n\nfunc New() {}\n")}, nil), said)
	}
}
