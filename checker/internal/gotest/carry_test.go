package gotest

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

func TestWhatCanKeepSomethingForTheNextCase(t *testing.T) {
	const imports = "package p\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n\t\"net/http\"\n\t\"sync\"\n)\n\n"
	for _, c := range []struct {
		name, source string
		carries      bool
	}{
		{"nothing", `func f() {}`, false},
		{"an assertion of the compiler", `var _ error = (*e)(nil)`, false},
		{"an error", `var ErrFull, errOther = errors.New("full"), fmt.Errorf("other"); func f() error { return fmt.Errorf("%w", ErrFull) }`, false},
		{"a table that is read", `var codes = map[int]string{404: "gone", -1: other}; func f(n int) int { for k := range codes { n += k }; return len(codes) + len(codes[n]) }`, false},
		{"a field of the same name", `var codes = []int{1}; func f(x *t) { x.codes = nil }`, false},
		{"a variable without a value", `var n int`, true},
		{"a counter", `var n = 0; func f() { n++ }`, true},
		{"a lock", `var mu sync.Mutex`, true},
		{"a sync.Once", `var setUp = sync.OnceFunc(func() {})`, true},
		{"a function", `var f = func() int { return 0 }`, true},
		{"a channel", `var c = make(chan int, 1)`, true},
		{"an error that is replaced", `var errLast = errors.New("none"); func f(err error) { errLast = err }`, true},
		{"an error whose address is taken", `var errLast = errors.New("none"); func f() *error { return &errLast }`, true},
		{"an error that a loop assigns", `var errLast = errors.New("none"); func f(all []error) { for _, errLast = range all { } }`, true},
		{"a table that is written", `var codes = map[int]string{}; func f() { codes[1] = "x" }`, true},
		{"a table that is handed on", `var codes = map[int]string{}; func f() { g(codes) }`, true},
		{"a table that gets another name", `var codes = map[int]string{}; func f() { c := codes; c[1] = "x" }`, true},
		{"a table that is cleared", `var codes = map[int]string{1: "x"}; func f() { delete(codes, 1) }`, true},
		{"an element that is counted", `var counts = [2]int{}; func f() { counts[0]++ }`, true},
		{"an element whose address is taken", `var counts = [2]int{}; func f() *int { return &counts[0] }`, true},
		{"an element with methods", `var counts = [1]t{}; func f() { counts[0].add() }`, true},
		{"a table of pointers", `var all = []*t{&t{}}; func f() *t { return all[0] }`, true},
		{"a table of tables", `var all = []map[int]int{{}}; func f() { m := all[0]; m[1] = 2 }`, true},
		{"the client of the process", `func f() { http.DefaultClient.Get("x") }`, false},
		{"the client of the process, changed", `func f() { c := http.DefaultClient; c.Timeout = 1 }`, true},
		{"the client of the process, replaced", `func f() { c := http.DefaultClient; *c = http.Client{} }`, true},
		{"the handlers of the process", `func init() { http.HandleFunc("/", nil) }`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := subject.Subject{Files: map[string][]byte{"p.go": []byte(imports + c.source)}}
			assert.Equal(t, c.carries, carries(s))
		})
	}
}

// A reference that could carry something would be slow to check, and so would what learners
// write with it as their model.
func TestNoReferenceCarriesAnything(t *testing.T) {
	root := testKit(t).Root
	for _, lab := range catalog.Labs() {
		s, err := subject.Solution(root, lab)
		require.NoError(t, err)
		assert.False(t, carries(s), lab.Dir)
	}
}
