package gotest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

func TestWhatRunsBeforeACaseDoes(t *testing.T) {
	const imports = "package p\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"sync\"\n\t\"time\"\n)\n\n"
	for _, c := range []struct {
		name, source string
		inert        bool
	}{
		{"nothing", `func f() {}`, true},
		{"an assertion of the compiler", `var _ error = (*e)(nil)`, true},
		{"errors", `var ErrFull, errOther = errors.New("full"), errors.New("o" + "ther")`, true},
		{"variables without a value", `var n int; var mu sync.Mutex`, true},
		{"numbers", `var n, m = -1, 2 * time.Second`, true},
		{"a function that nobody calls", `var f = func() { panic("x") }`, true},
		{"a struct", `var zone = time.Location{}; var x = &sync.Pool{New: nil}`, true},
		{"tables", `var codes = map[int]string{404: "gone"}; var all = []int{1, 2}; var wait = map[string]time.Duration{"a": time.Second}`, true},
		{"a method called init", `func (t *t) init() {}`, true},
		{"func init", `func init() { n = 1 }`, false},
		{"a call", `var n = f()`, false},
		{"a call in an assertion", `var _ = f()`, false},
		{"a method in a message", `var err = fmt.Errorf("%v", t{})`, false},
		{"a call in an error", `var err = errors.New(f())`, false},
		{"a call in a table", `var all = []int{f()}`, false},
		{"a call of a literal", `var n = func() int { return 1 }()`, false},
		{"a goroutine", `var once = sync.OnceFunc(func() {})`, false},
		{"a conversion with a call", `var n = (*t)(f())`, false},
		{"a division", `var n = 1 / m`, false},
		{"a comparison", `var same = a == b`, false},
		{"a receive", `var n = <-c`, false},
		{"an element", `var n = all[7]`, false},
		{"a field", `var n = x.next`, false},
		{"what a pointer points to", `var n = *p`, false},
		{"a type assertion", `var n = x.(int)`, false},
		{"keys that cannot be compared", `var m = map[any]int{f: 1}`, false},
		{"… behind a name", `type set map[any]int; var m = set{f: 1}`, false},
		{"a channel", `var c = make(chan int)`, false},
		{"no Go", `func`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := subject.Subject{Files: map[string][]byte{"p.go": []byte(imports + c.source + "\n")}}
			assert.Equal(t, c.inert, inert(s))
			with := subject.Subject{Files: map[string][]byte{"p.go": []byte(imports)}, Parts: []subject.Subject{s}}
			assert.Equal(t, c.inert, inert(with), "in a part")
		})
	}
}

func TestReferencesAreInert(t *testing.T) {
	root := testKit(t).Root
	for _, lab := range catalog.Labs() {
		for _, read := range []func(string, catalog.Lab) (subject.Subject, error){subject.Solution, subject.Stub} {
			s, err := read(root, lab)
			require.NoError(t, err)
			assert.True(t, inert(s), s.Path)
		}
	}
}
