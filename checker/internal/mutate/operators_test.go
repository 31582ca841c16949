package mutate

import (
	"context"
	"fmt"
	"go/types"
	"path"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/exportdata"
)

// imported has the types of the packages that the tests' sources import.
var imported = sync.OnceValues(func() (types.Importer, error) {
	return exportdata.Importer(context.Background(), ".", "context", "errors", "fmt", "log/slog", "slices", "sync", "time")
})

// mutants are all mutants of one file.
func mutants(t *testing.T, source string, given ...string) Mutants {
	t.Helper()
	imports, err := imported()
	require.NoError(t, err)
	src := Source{Path: "example.com/lab", Files: map[string][]byte{"lab.go": []byte(source)}, Given: map[string][]byte{}}
	for i, text := range given {
		src.Given[fmt.Sprint(i, ".go")] = []byte(text)
	}
	all, err := Of(src, imports)
	require.NoError(t, err)
	return all
}

// by are the changes of one operator, each on one line.
func by(all Mutants, operator string) []string {
	var changes []string
	for _, m := range all.All {
		if m.Operator == operator {
			changes = append(changes, strings.Join(m.Change, " "))
		}
	}
	return changes
}

// operators has for each operator sources and the mutants that it makes of them.
var operators = []struct {
	operator string
	source   string
	want     []string
}{
	{"drop-lock", `
var mu sync.Mutex
func f(early bool) {
	mu.Lock()
	if early {
		mu.Unlock()
		return
	}
	mu.Unlock()
	mu.Lock()
	defer mu.Unlock()
}`, []string{"- mu.Lock() - mu.Unlock() - mu.Unlock()", "- mu.Lock() - defer mu.Unlock()"}},
	{"drop-lock", `
func f(mu *sync.Mutex, other *sync.Mutex) {
	mu.Lock()
	other.Unlock()
}`, nil},
	{"drop-lock", `
func f() {
	var mu sync.Mutex
	mu.Lock()
	mu.Unlock()
}`, []string{"- mu.Lock() - mu.Unlock() + _ = mu"}},
	{"shrink-lock", `
func f(mu *sync.RWMutex, n *int) int {
	mu.RLock()
	defer mu.RUnlock()
	*n++
	return *n
}`, []string{
		"- mu.RLock() - defer mu.RUnlock() - *n++ + *n++ + mu.RLock() + defer mu.RUnlock()",
		"- defer mu.RUnlock() + mu.RUnlock()",
	}},
	{"shrink-lock", `
func f(mu *sync.Mutex, n *int) {
	mu.Lock()
	*n = 1
	*n = 2
	mu.Unlock()
}`, []string{"- mu.Lock() - *n = 1 + *n = 1 + mu.Lock()", "- *n = 2 - mu.Unlock() + mu.Unlock() + *n = 2"}},
	{"shrink-lock", `
func f(mu *sync.Mutex, n *int) {
	mu.Lock()
	*n = 1
	mu.Unlock()
}`, nil}, // what would be left is no section
	{"shrink-lock", `
func f(mu *sync.Mutex, n *int) int {
	mu.Lock()
	defer mu.Unlock()
	*n++
	return 2
}`, []string{"- mu.Lock() - defer mu.Unlock() - *n++ + *n++ + mu.Lock() + defer mu.Unlock()"}}, // a return of 2 needs no lock
	{"hold-lock", `
func f(mu *sync.Mutex, call func()) {
	mu.Unlock()
	call()
	mu.Lock()
}`, []string{"- mu.Unlock() - mu.Lock()"}},
	{"read-lock", `
func f(mu *sync.RWMutex, other *sync.Mutex) {
	mu.Lock()
	defer mu.Unlock()
	other.Lock()
	other.Unlock()
}`, []string{"- mu.Lock() - defer mu.Unlock() + mu.RLock() + defer mu.RUnlock()"}},

	{"un-defer", `
func f(wg *sync.WaitGroup, mu *sync.Mutex) {
	defer wg.Done()
	mu.Lock()
	defer mu.Unlock()
}`, []string{"- defer wg.Done() + wg.Done()"}}, // the other is drop-lock
	{"no-go", `
func f(wg *sync.WaitGroup, work func()) {
	go work()
	wg.Go(work)
}`, []string{"- go work() + work()", "- wg.Go(work) + (work)()"}},
	{"go", `
func f(work func(), cancel context.CancelFunc, wg *sync.WaitGroup) {
	work()
	cancel()
	wg.Wait()
	fmt.Println()
	delete(map[int]int{}, 0)
}`, []string{"- work() + go work()"}},
	{"untracked", `
func f(wg *sync.WaitGroup, work func()) {
	wg.Go(work)
}`, []string{"- wg.Go(work) + go (work)()"}},
	{"late-add", `
func f(wg *sync.WaitGroup, work func()) {
	wg.Go(work)
	wg.Add(1)
	go func() {
		work()
	}()
}`, []string{
		"- wg.Go(work) + go func() { wg.Add(1); defer wg.Done(); (work)() }()",
		"- wg.Add(1) - go func() { + go func() { wg.Add(1);",
	}},
	{"signal", `
func f(c *sync.Cond) {
	c.Signal()
	c.Broadcast()
}`, []string{"- c.Signal() + c.Broadcast()", "- c.Broadcast() + c.Signal()"}},
	{"wait-if", `
func f(c *sync.Cond, ready *bool, n int) {
	for !*ready {
		c.Wait()
	}
	for n > 0 {
		n--
	}
}`, []string{"- for !*ready { + if !*ready {"}},
	{"always", `
func f(o *sync.Once, work func()) func() {
	o.Do(work)
	return sync.OnceFunc(work)
}`, []string{"- o.Do(work) + (work)()", "- return sync.OnceFunc(work) + return (work)"}},
	{"detach", `
func f(ctx context.Context) context.Context {
	_ = context.WithValue(context.Background(), 1, 2)
	return context.WithValue(ctx, 1, 2)
}`, []string{"- return context.WithValue(ctx, 1, 2) + return context.WithValue(context.WithoutCancel(ctx), 1, 2)"}},

	{"drop-case", `
func f(a, b chan int) {
	select {
	case <-a:
	case b <- 1:
	}
	switch {
	case a == b:
		panic(0)
	default:
	}
}`, []string{"- case <-a:", "- case b <- 1:", "- case a == b: - panic(0)", "- default:"}},
	{"add-default", `
func f(a chan int) {
	select {
	case <-a:
	}
	select {
	case <-a:
	default:
	}
}`, []string{"+ default:"}},
	{"close-twice", `
func f(a chan int) {
	defer close(a)
	close(a)
}`, []string{"- defer close(a) + defer close(a); defer close(a)", "- close(a) + close(a); close(a)"}},
	{"buffer", `
func f(n int) (chan int, chan int, []int) {
	return make(chan int), make(chan int, n), make([]int, n)
}`, []string{"- return make(chan int), make(chan int, n), make([]int, n) + return make(chan int, 1), make(chan int, n), make([]int, n)"}},
	{"unbuffer", `
func f(n int) (chan int, []int) {
	return make(chan int, n), make([]int, n)
}`, []string{"- return make(chan int, n), make([]int, n) + return make(chan int), make([]int, n)"}},

	{"if-never", `
func f(a, b bool) {
	if a {
		panic(1)
	}
	for b {
	}
	for {
	}
}`, []string{"- if a { + if (a) && false {", "- for b { + for (b) && false {"}},
	{"if-always", `
func f(get func() error) {
	if err := get(); err != nil {
		panic(err)
	}
	for get() == nil {
	}
}`, []string{"- if err := get(); err != nil { + if err := get(); (err != nil) || true {"}},
	{"operand", `
func f(a, b bool) bool {
	return a && b || a
}`, []string{"- return a && b || a + return a && b", "- return a && b || a + return a", "- return a && b || a + return a || a", "- return a && b || a + return b || a"}},
	{"boundary", `
func f(a, b int) (w, x, y, z bool) {
	return a < b, a <= b, a > b, a >= b
}`, []string{
		"- return a < b, a <= b, a > b, a >= b + return a <= b, a <= b, a > b, a >= b",
		"- return a < b, a <= b, a > b, a >= b + return a < b, a < b, a > b, a >= b",
		"- return a < b, a <= b, a > b, a >= b + return a < b, a <= b, a >= b, a >= b",
		"- return a < b, a <= b, a > b, a >= b + return a < b, a <= b, a > b, a > b",
	}},
	{"negate", `
func f(a, b int, use func(bool)) bool {
	use(a == b)
	use(a != b)
	ok := a == b
	use(!ok)
	if !ok && a != b {
		return a == b
	}
	return !ok
}`, []string{
		"- use(a == b) + use(a != b)", "- use(a != b) + use(a == b)",
		"- ok := a == b + ok := a != b", "- use(!ok) + use(ok)",
	}}, // conditions and results have operators of their own

	{"arithmetic", `
func f(a, b int, s string) (int, string, time.Duration) {
	a++
	b -= a
	s += s
	return a * b, s + s, 5 * time.Second
}`, []string{
		"- a++ + a--", "- b -= a + b += a",
		"- return a * b, s + s, 5 * time.Second + return a / b, s + s, 5 * time.Second",
	}},
	{"constant", `
const few = 2
type pair struct { a int; b bool; c string }
func f(use func(...any)) {
	use(1)
	use(0.5)
	use(true)
	use("word")
	use(make(map[int]int, 9), make([]int, few, 9), [9]int{})
	use(errors.New("message"), fmt.Sprint("message"))
	use(make(chan int, 1))
	use(pair{a: 1, b: true, c: "word"}, map[int]int{2: 1})
}`, []string{
		"- const few = 2 + const few = 3", "- use(1) + use(2)", "- use(1) + use(0)",
		"- use(0.5) + use((0.5 + 1))", "- use(true) + use(false)", `- use("word") + use("")`,
		"- use(make(chan int, 1)) + use(make(chan int, 2))",                                                                 // unbuffer makes the other
		`- use(pair{a: 1, b: true, c: "word"}, map[int]int{2: 1}) + use(pair{a: 2, b: true, c: "word"}, map[int]int{2: 1})`, // drop-field makes the others
		`- use(pair{a: 1, b: true, c: "word"}, map[int]int{2: 1}) + use(pair{a: 1, b: true, c: "word"}, map[int]int{3: 1})`,
		`- use(pair{a: 1, b: true, c: "word"}, map[int]int{2: 1}) + use(pair{a: 1, b: true, c: "word"}, map[int]int{2: 2})`,
		`- use(pair{a: 1, b: true, c: "word"}, map[int]int{2: 1}) + use(pair{a: 1, b: true, c: "word"}, map[int]int{2: 0})`,
	}},
	{"extreme", `
func f(a, b int) int {
	return max(a, min(a, b))
}`, []string{"- return max(a, min(a, b)) + return min(a, min(a, b))", "- return max(a, min(a, b)) + return max(a, max(a, b))"}},
	{"no-copy", `
type object struct{}
func (o *object) DeepCopy() *object { return nil }
func f(o *object, s []int) (*object, []int, []int, []int) {
	return o.DeepCopy(), slices.Clone(s), append([]int(nil), s...), append(s, s...)
}`, []string{
		"- return o.DeepCopy(), slices.Clone(s), append([]int(nil), s...), append(s, s...) + return o, slices.Clone(s), append([]int(nil), s...), append(s, s...)",
		`- import "slices" + import _ "slices" - return o.DeepCopy(), slices.Clone(s), append([]int(nil), s...), append(s, s...) + return o.DeepCopy(), s, append([]int(nil), s...), append(s, s...)`,
		"- return o.DeepCopy(), slices.Clone(s), append([]int(nil), s...), append(s, s...) + return o.DeepCopy(), slices.Clone(s), s, append(s, s...)",
	}},
	{"drop-field", `
type pair struct{ a, b int }
func f(n int) (pair, pair, []int) {
	return pair{a: n, b: n}, pair{a: n, b: 0}, []int{0: n}
}`, []string{
		"- return pair{a: n, b: n}, pair{a: n, b: 0}, []int{0: n} + return pair{b: n}, pair{a: n, b: 0}, []int{0: n}",
		"- return pair{a: n, b: n}, pair{a: n, b: 0}, []int{0: n} + return pair{a: n}, pair{a: n, b: 0}, []int{0: n}",
		"- return pair{a: n, b: n}, pair{a: n, b: 0}, []int{0: n} + return pair{a: n, b: n}, pair{b: 0}, []int{0: n}",
	}},
	{"zero-result", `
func f[T any](get func() (T, error)) (T, error) {
	var none T
	got, err := get()
	if err != nil {
		return none, err
	}
	if err == nil {
		return get()
	}
	return got, nil
}`, []string{
		"- return none, err + return none, nil",
		"- return get() + return *new(T), nil",
		"- return got, nil + _ = got; return *new(T), nil",
	}},
	{"zero-result", `
func f(a, b int) (bool, bool) {
	return a == b, true
}`, []string{"- return a == b, true + return true, true", "- return a == b, true + return false, true"}},
	{"zero-result", `
func f(a int) (n int) {
	g := func() string { return "a" }
	_ = g
	return a
}`, []string{`- g := func() string { return "a" } + g := func() string { return "" }`, "- return a + return 0"}},

	{"drop-statement", `
func f(wg *sync.WaitGroup, a chan int, n int, early bool) {
	defer close(a)
	wg.Wait()
	a <- 1
	n++
	n = 2
	for range n {
		if early {
			break
		}
		n--
		continue
	}
	if early {
		n = 3
		return
	}
	m := 1
	n = m
	return
}`, []string{
		"- defer close(a)", "- wg.Wait()", "- a <- 1", "- n++", "- n = 2", "- n--", "- continue",
		"- n = 3", "- return", "- n = m + _ = m",
	}},
	{"drop-statement", `
func f(mu *sync.Mutex, a chan int) {
	slog.Info("word")
	mu.Lock()
	mu.Unlock()
	select {
	case <-a:
	case a <- 1:
	}
	defer func() { <-a }()
}`, []string{"- mu.Unlock()", "- defer func() { <-a }()"}},
}

func TestOperators(t *testing.T) {
	covered := map[string]bool{}
	for _, test := range operators {
		covered[test.operator] = true
		t.Run(test.operator, func(t *testing.T) {
			source := withImports(test.source)
			all := mutants(t, source)
			assert.Equal(t, test.want, by(all, test.operator), test.source)
			compile(t, source, all)
		})
	}
	for _, o := range Operators {
		assert.True(t, covered[o.Name], "nothing tests %s", o.Name)
		assert.NotEmpty(t, o.Does)
	}
}

// withImports makes a file of declarations: it imports what they mention.
func withImports(decls string) string {
	imports := ""
	for _, pkg := range []string{"context", "errors", "fmt", "log/slog", "slices", "sync", "time"} {
		if strings.Contains(decls, path.Base(pkg)+".") {
			imports += fmt.Sprintf("import %q\n", pkg)
		}
	}
	return "package lab\n" + imports + decls + "\n"
}

// compile type-checks every mutant from its text alone: what Of says of them is what it does
// with most function bodies left out.
func compile(t *testing.T, source string, all Mutants) {
	t.Helper()
	for _, m := range all.All {
		_ = mutants(t, string(m.Apply([]byte(source)))) // fails for what does not compile
	}
}
