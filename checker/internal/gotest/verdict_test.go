package gotest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// head begins every subject of these tests. The gate would refuse most of its
// imports: what the process does when the gate has been passed is the question here.
const head = `package goroutines

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"
)

var _ = []any{errors.New, os.Exit, runtime.Goexit, sync.NewCond, time.Sleep}

type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

func inOrder[T any](ctx context.Context, tasks []func(ctx context.Context) (T, error)) (results []T, err error) {
	for _, task := range tasks {
		r, err := task(ctx)
		if err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	return results, nil
}

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
`

// way is one way to go wrong, on the case it names.
type way struct {
	name, on, body string
	want           verdict.Verdict
	line           string // the text of the line the verdict must point at
}

var bodies = []way{
	{"exits", "no-tasks", `os.Exit(0); return nil, nil }`, verdict.Incomplete, ""},
	{"exits after forging a result", "no-tasks",
		`fmt.Println("--- PASS: TestCases/no-tasks\nPASS"); os.NewFile(3, "x").WriteString("{\"kind\":\"start\",\"case\":\"no-tasks\"}\n{\"kind\":\"end\",\"case\":\"no-tasks\",\"passed\":true}\n"); os.Exit(0); return nil, nil }`,
		verdict.Incomplete, ""},
	{"steals the orders before anything is initialised", "keeps-order", `return nil, nil }

var _ = steal()

func steal() int {
	var orders, nonce string
	fmt.Scanln(&orders)
	for fd := 3; fd < 10; fd++ {
		if text, err := os.ReadFile(fmt.Sprint("/proc/self/fd/", fd)); err == nil {
			orders += string(text)
		}
	}
	if _, err := fmt.Sscanf(orders, "{\"nonce\":\"%26s", &nonce); err != nil {
		return 0
	}
	for _, what := range []string{"\"kind\":\"start\"", "\"kind\":\"end\",\"passed\":true"} {
		fmt.Fprintf(os.NewFile(3, "x"), "{\"nonce\":%q,\"case\":\"keeps-order\",%s}\n", nonce, what)
	}
	os.Exit(0)
	return 0
}`, verdict.WrongAnswer, ""},
	{"ends the case's goroutine", "no-tasks", `runtime.Goexit(); return nil, nil }`, verdict.Incomplete, ""},
	{"floods its output", "no-tasks", `for { fmt.Println("flood flood flood flood flood flood flood") } }`, verdict.OutputFlood, ""},
	{"eats memory", "respects-limit", `
	var all [][]byte
	for {
		all = append(all, make([]byte, 1<<20)) // here
	}
}`, verdict.OutOfMemory, "// here"},
	{"asks for all memory at once", "no-tasks", `
	return make([]T, 0, 1<<46/(1+limit-limit)), nil
}`, verdict.Panic, ""},
	{"panics", "keeps-order", `
	var m map[int]T
	m[1] = *new(T) // here
	return nil, nil
}`, verdict.Panic, "// here"},
	{"panics in a goroutine", "keeps-order", `
	go func() {
		panic("boom") // here
	}()
	time.Sleep(time.Second)
	return nil, nil
}`, verdict.Panic, "// here"},
	{"deadlocks in virtual time", "keeps-order", `
	<-make(chan int) // here
	return nil, nil
}`, verdict.Deadlock, "// here"},
	{"deadlocks on a mutex in a bubble", "keeps-order", `
	var mu sync.Mutex
	mu.Lock()
	mu.Lock() // here
	return nil, nil
}`, verdict.Deadlock, "// here"},
	{"deadlocks on a mutex", "results-are-not-raced-for", `
	var mu sync.Mutex
	mu.Lock()
	mu.Lock() // here
	return nil, nil
}`, verdict.Deadlock, "// here"},
	{"spins", "no-tasks", `
	for n := 0; ; n++ {
		if n < 0 { // here
			return nil, nil
		}
	}
}`, verdict.Timeout, ""},
	{"leaks", "no-tasks", `
	go func() {
		<-make(chan int) // here
	}()
	results := make([]T, len(tasks))
	for i, task := range tasks {
		results[i], _ = task(ctx)
	}
	return results, nil
}`, verdict.GoroutineLeak, "// here"},
	{"leaks outside a bubble", "many-failures-at-once", `
	go func() {
		<-make(chan int) // here
	}()
	_, err := tasks[1](ctx)
	return nil, err
}`, verdict.Deadlock, ""},
	{"races", "results-are-not-raced-for", `
	results := make([]T, len(tasks))
	var wg sync.WaitGroup
	n := 0
	for i, task := range tasks {
		wg.Go(func() {
			n++ // here
			results[i], _ = task(ctx)
		})
	}
	wg.Wait()
	return results, nil
}`, verdict.DataRace, "// here"},
	{"leaks what a package variable reaches", "results-are-not-raced-for", `
	go func() {
		<-never // here
	}()
	return inOrder(ctx, tasks)
}

var never = make(chan int)
`, verdict.GoroutineLeak, "// here"},
	{"waits for a real timer", "results-are-not-raced-for", `
	<-time.After(3 * time.Second)
	return inOrder(ctx, tasks)
}
`, verdict.Pass, ""},
	{"waits for a deadline", "results-are-not-raced-for", `
	waiting, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	<-waiting.Done()
	return inOrder(ctx, tasks)
}
`, verdict.Pass, ""},
	{"waits for a condition that a timer brings about", "results-are-not-raced-for", `
	var mu sync.Mutex
	cond, ready := sync.NewCond(&mu), false
	time.AfterFunc(2*time.Second, func() {
		mu.Lock()
		defer mu.Unlock()
		ready = true
		cond.Signal()
	})
	mu.Lock()
	defer mu.Unlock()
	for !ready {
		cond.Wait()
	}
	return inOrder(ctx, tasks)
}
`, verdict.Pass, ""},
	{"leaves a goroutine that ends by itself", "results-are-not-raced-for", `
	go func() { <-time.After(2 * time.Second) }()
	return inOrder(ctx, tasks)
}
`, verdict.Pass, ""},
	{"deadlocks on a channel beside a ticker", "results-are-not-raced-for", `
	ticker := time.NewTicker(time.Hour)
	go func() {
		for range ticker.C {
		}
	}()
	<-make(chan int) // here
	return nil, nil
}`, verdict.Deadlock, "// here"},
	{"deadlocks on a group", "results-are-not-raced-for", `
	var wg sync.WaitGroup
	wg.Add(1)
	wg.Wait() // here
	return nil, nil
}`, verdict.Deadlock, "// here"},
	{"deadlocks on a condition", "results-are-not-raced-for", `
	var mu sync.Mutex
	mu.Lock()
	sync.NewCond(&mu).Wait() // here
	return nil, nil
}`, verdict.Deadlock, "// here"},
	{"deadlocks on a package variable", "results-are-not-raced-for", `
	global.Lock(); global.Lock() // here
	return nil, nil
}

var global sync.Mutex
`, verdict.Deadlock, "// here"},
	// The history has its text first; the race is with the words of the failure.
	{"answers wrong while it goes on writing", "keeps-order", `
	err := &loud{}
	go func() {
		for range 1 << 16 {
			err.n++
		}
	}()
	return nil, err
}

type loud struct{ calls, n int }

func (l *loud) Error() string {
	if l.calls++; l.calls > 1 {
		l.n++
	}
	return "loud"
}
`, verdict.WrongAnswer, "func Gather"},
	{"answers wrong", "keeps-order", `return make([]T, len(tasks)), nil }`, verdict.WrongAnswer, "func Gather"},
	// Poor style and no deadlock: a bubble cannot tell, the second look must.
	{"sleeps while it holds a lock", "no-tasks", `
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			time.Sleep(time.Millisecond)
			mu.Unlock()
		})
	}
	wg.Wait()
	results := make([]T, len(tasks))
	for i, task := range tasks {
		results[i], _ = task(ctx)
	}
	return results, nil
}`, verdict.Pass, ""},
	{"waits an hour while it holds a lock", "no-tasks", `
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			<-time.After(time.Hour)
			mu.Unlock()
		})
	}
	wg.Wait()
	return nil, nil
}`, verdict.Timeout, ""},
	{"prints and passes", "no-tasks", `
	fmt.Println("here I am")
	results := make([]T, len(tasks))
	for i, task := range tasks {
		results[i], _ = task(ctx)
	}
	return results, nil
}`, verdict.Pass, ""},
}

func testKit(t *testing.T) *Kit {
	wd, err := os.Getwd()
	require.NoError(t, err)
	return &Kit{Root: filepath.Join(wd, "..", "..", ".."), Temp: t.TempDir()}
}

func TestEveryWayToGoWrongHasItsVerdict(t *testing.T) {
	kit := testKit(t)
	lab := mustFind(t, "01-goroutines")
	for _, b := range bodies {
		t.Run(strings.ReplaceAll(b.name, " ", "-"), func(t *testing.T) {
			t.Parallel()
			source := head + b.body
			r := runOne(t, kit, lab, source, b.on)
			require.Equal(t, b.want, r.Verdict, "%s\n%s", r.Message, r.Raw)
			assert.NotContains(t, fmt.Sprintf("%+v", r.Goroutines), "nudge.", "a call that nobody wrote reached the learner")
			if b.want == verdict.Deadlock { // by a proof, or by time: then the message says so
				assert.Equal(t, strings.Contains(b.name, "package variable"), r.Message != "", r.Message)
			}
			if b.line != "" {
				lines := strings.Split(source, "\n")
				require.Positive(t, r.At.Line)
				assert.Contains(t, lines[r.At.Line-1], b.line, "the verdict points at line %d", r.At.Line)
				assert.Equal(t, "labs/01-goroutines/gather.go", r.At.File)
			}
		})
	}
}

func mustFind(t *testing.T, name string) catalog.Lab {
	t.Helper()
	lab, err := catalog.Find(name)
	require.NoError(t, err)
	return lab
}

func runOne(t *testing.T, kit *Kit, lab catalog.Lab, source, name string) outcome.Result {
	s, err := subject.Given(kit.Root, lab, map[string][]byte{"gather.go": []byte(source)})
	require.NoError(t, err)
	b, err := kit.Build(t.Context(), s)
	require.NoError(t, err)
	defer b.Remove()
	c, err := lab.Case(name)
	require.NoError(t, err)
	r, err := b.Run(t.Context(), c, 1)
	require.NoError(t, err)
	return r
}

// TestOrdersCannotBeStolen uses only what a lab may import, in each kind of sandbox.
func TestOrdersCannotBeStolen(t *testing.T) {
	const thief = `package goroutines

import (
	"context"
	"fmt"
)

type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprint(e.Value) }

var (
	stolen string
	n, err = fmt.Scanln(&stolen)
)

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	fmt.Println(n, stolen, err)
	return nil, nil
}
`
	everyMode(t, func(t *testing.T, kit *Kit) {
		r := runOne(t, kit, mustFind(t, "01-goroutines"), thief, "keeps-order")
		assert.Equal(t, verdict.WrongAnswer, r.Verdict, "%s\n%s", r.Message, r.Raw)
		assert.Contains(t, r.Output, "0  EOF\n", "standard input is not empty")
	})
}

func TestACompileErrorNamesTheLearnersLine(t *testing.T) {
	kit := testKit(t)
	lab, err := catalog.Find("01-goroutines")
	require.NoError(t, err)
	s, err := subject.Given(kit.Root, lab, map[string][]byte{"gather.go": []byte(head + "\n\treturn 42, nil\n}")})
	require.NoError(t, err)
	_, err = kit.Build(t.Context(), s)
	var broken *CompileError
	require.ErrorAs(t, err, &broken)
	assert.Contains(t, broken.Text, "labs/01-goroutines/gather.go:35:9: cannot use 42", "the column is the learner's, too")
	assert.NotContains(t, broken.Text, kit.Temp, "a path of the checker's own reached the learner")
	left, err := os.ReadDir(kit.Temp)
	require.NoError(t, err)
	assert.Empty(t, left, "a failed build left files behind")
}

// A goroutine that an initialiser has started is the case's own.
func TestAGoroutineOfAnInitialiserIsALeak(t *testing.T) {
	kit := testKit(t)
	lab, err := catalog.Find("01-goroutines")
	require.NoError(t, err)
	reference, err := subject.Solution(kit.Root, lab)
	require.NoError(t, err)
	source := string(reference.Files["gather.go"]) + "\nvar queue = make(chan func())\n\nfunc init() { go func() { (<-queue)() }() }\n"
	r := runOne(t, kit, lab, source, "leaves-nothing-behind")
	assert.Equal(t, verdict.GoroutineLeak, r.Verdict, r.Message)
}
