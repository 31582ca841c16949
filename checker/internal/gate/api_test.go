package gate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

type Func = func(ctx context.Context) error

type Handler func(ctx context.Context, data []byte) (any, error)

type Waiter interface {
	Wait(ctx context.Context) error
	Done() <-chan struct{}
}

type Options struct {
	Period time.Duration
	Name   string ` + "`json:\"name\"`" + `
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

func compareAPI(t *testing.T, edits ...string) []Violation {
	t.Helper()
	src := apiStub
	for i := 0; i < len(edits); i += 2 {
		require.Equal(t, 1, strings.Count(src, edits[i]), "%q must stand once", edits[i])
		src = strings.Replace(src, edits[i], edits[i+1], 1)
	}
	rules := lab
	rules.Stub = map[string][]byte{"lab.go": []byte(apiStub)}
	return Check(rules, map[string][]byte{"lab.go": []byte(src)})
}

func TestAPIChanged(t *testing.T) {
	for _, c := range []struct {
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
		{"type of another kind", []string{"type Policy int", "type Policy string"}, "type Policy int"},
		{"type became an alias", []string{"type Policy int", "type Policy = int"}, "type Policy int"},
		{"alias became a type", []string{"type Func = func", "type Func func"}, "type Func = func(ctx context.Context) error"},
		{"alias of another type", []string{"Func = func(ctx context.Context) error", "Func = func() error; var _ context.Context"}, "type Func"},
		{"function type", []string{"data []byte", "data string"}, "type Handler func(ctx context.Context, data []byte) (any, error)"},
		{"method of an interface", []string{"\tDone() <-chan struct{}\n", ""}, "type Waiter interface"},
		{"method too many in an interface", []string{"\tDone() <-chan struct{}\n", "\tDone() <-chan struct{}\n\tMore()\n"}, "type Waiter interface"},
		{"direction of a channel", []string{"Done() <-chan struct{}", "Done() chan struct{}"}, "type Waiter interface { Wait(ctx context.Context) error; Done() <-chan struct{} }"},
		{"field gone", []string{"\tPeriod time.Duration\n", ""}, "The field Options.Period"},
		{"field of another type", []string{"\tPeriod time.Duration\n", "\tPeriod int\n"}, "the lab needs: Period time.Duration"},
		{"field with another tag", []string{`json:"name"`, ``}, "Options.Name"},
		{"embedded field gone", []string{"\tkit.ObjectMeta\n", ""}, "Options.ObjectMeta"},
		{"embedded field became a field", []string{"\tkit.ObjectMeta\n", "\tObjectMeta kit.ObjectMeta\n"}, "Options.ObjectMeta"},
		{"struct became a map", []string{"type Queue[T comparable] struct {\n\tClock func() time.Time\n\titems []T\n}", "type Queue[T comparable] map[string]T"}, "type Queue[T comparable] struct { Clock func() time.Time }"},
		{"constraint", []string{"type Queue[T comparable]", "type Queue[T any]"}, "type Queue[T comparable]"},
		{"type parameters", []string{"type Queue[T comparable]", "type Queue[T, U comparable]"}, "type Queue[T comparable]"},
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
		{"function became a variable", []string{"func NewQueue[T comparable](opts ...Option) *Queue[T] {", "var NewQueue = func(opts ...Option) *Queue[int] {"}, "NewQueue is gone"},
		{"package of a type", []string{`"context"`, `context "github.com/controllerbook/controllerbook/labs/kit"`, "\n\t\"github.com/controllerbook/controllerbook/labs/kit\"\n", "", "kit.ObjectMeta", "context.ObjectMeta"}, "Context"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := compareAPI(t, c.edits...)
			require.NotEmpty(t, found)
			var messages []string
			for _, v := range found {
				assert.Equal(t, API, v.Kind, v.Message)
				checkWords(t, v)
				messages = append(messages, v.Message)
			}
			assert.Contains(t, strings.Join(messages, "\n"), c.want)
		})
	}
}

func TestAPIKept(t *testing.T) {
	for _, c := range []struct {
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
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Empty(t, compareAPI(t, c.edits...))
		})
	}
}

// A declaration may move to another file of the lab.
func TestAPIMoved(t *testing.T) {
	rules := Rules{Package: "lab", Stub: map[string][]byte{"a.go": []byte("package lab\nfunc A() {}\n"), "b.go": []byte("package lab\n")}}
	assert.Empty(t, Check(rules, map[string][]byte{"a.go": []byte("package lab\n"), "b.go": []byte("package lab\nfunc A() {}\n")}))
}

// Aliases that stand for each other, or that double, must not take the comparison down.
func TestAPIEndlessAliases(t *testing.T) {
	rules := Rules{Package: "lab", Stub: map[string][]byte{"a.go": []byte("package lab\ntype A struct{}\nfunc F(A) {}\n")}}
	for _, src := range []string{
		"package lab\ntype A = A\nfunc F(A) {}\n",
		"package lab\ntype A = []B\ntype B = []A\nfunc F(A) {}\n",
		"package lab\ntype A struct{ x A }\ntype C = func(C, C)\nfunc F(C) {}\n",
	} {
		assert.NotEmpty(t, Check(rules, map[string][]byte{"a.go": []byte(src)}))
	}
}

func TestAPIStubMustParse(t *testing.T) {
	rules := Rules{Package: "lab", Stub: map[string][]byte{"a.go": []byte("not Go")}}
	assert.Panics(t, func() { Check(rules, map[string][]byte{"a.go": []byte("package lab\n")}) })
}
