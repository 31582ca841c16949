package hostile

// honest students get their points, whatever lies around their answer.
var honest = []Submission{
	{Name: "ok-reference", About: "the reference", Want: "pass", files: gather(reference)},
	{Name: "ok-variant", About: "another style, with a test of its own", Want: "pass", files: map[string]string{
		"labs/01-goroutines/gather.go":   variant,
		"labs/01-goroutines/own_test.go": "package goroutines\n\nimport \"testing\"\n\nfunc TestMine(t *testing.T) {}\n",
	}},
	{Name: "ok-debug-prints", About: "leaves a few lines of debugging", Want: "pass", files: edited(
		"wg.Wait()\n", "wg.Wait()\n\tfmt.Println(\"done\", len(tasks))\n")},
	{Name: "ok-crlf", About: "written on Windows", Want: "pass", pack: func(w *Workshop) (string, []byte) {
		return ".zip", zipOf(entry{name: "gather.go", text: crlf(w.Reference)})
	}},
	{Name: "ok-bom", About: "saved with a byte order mark", Want: "pass", files: gather("\ufeff" + reference)},
	{Name: "ok-bom-crlf", About: "written on Windows, with a byte order mark", Want: "pass", pack: func(w *Workshop) (string, []byte) {
		return ".zip", zipOf(entry{name: "gather.go", text: "\ufeff" + crlf(w.Reference)})
	}},
	{Name: "ok-zone-kept", About: "keeps time.UTC, and elsewhere writes through a pointer", Want: "pass", files: edited(
		"\t\"sync\"\n)", "\t\"sync\"\n\t\"time\"\n)", "// acquire takes", keptZone+"// acquire takes")},
	{Name: "ok-large", About: "arrays, constants and generic types that are large and build at once", Want: "pass", files: edited("// acquire takes", large+"// acquire takes")},
	{Name: "ok-initialisers", About: "fills a table before the test begins", Want: "pass", files: edited("// acquire takes", initialisers+"// acquire takes")},
	{Name: "ok-zip-subdir", About: "one top folder and a Mac's litter", Want: "pass", pack: func(w *Workshop) (string, []byte) {
		return ".zip", zipOf(entry{name: "Lab 1/"}, entry{name: "Lab 1/gather.go", text: w.Reference},
			entry{name: "Lab 1/.DS_Store", text: "x"}, entry{name: "__MACOSX/Lab 1/._gather.go", text: "\x00\x05\x16\x07"})
	}},
	{Name: "ok-tgz", About: "tar -czf of the folder", Want: "pass", pack: func(w *Workshop) (string, []byte) {
		return ".tar.gz", gzipOf(tarOf(entry{name: "./"}, entry{name: "./labs/01-goroutines/gather.go", text: w.Reference}))
	}},
	{Name: "ok-whole-clone", About: "the whole repository, stubs and a wrong solution included", Want: "pass", files: map[string]string{
		"labs/01-goroutines/gather.go":                   reference,
		"checker/internal/stubs/01-goroutines/gather.go": stub,
		"solutions/01-goroutines/gather.go":              stub,
	}},
	{Name: "ok-go-generate", About: "a go:generate line that nothing runs", Want: "pass", files: edited(
		"// PanicError is what", "//go:generate touch {{victim}}\n\n// PanicError is what")},
	{Name: "b-gomod-nested", About: "a go.mod of another module and a Go of the future", Want: "pass", files: map[string]string{
		"gather.go": reference, "go.mod": "module evil\n\ngo 1.99\n\ntoolchain go1.99.0\n\nreplace golang.org/x/sync => ./evil\n",
	}},
	{Name: "b-gowork", About: "go.work and a vendor folder with a lying errgroup", Want: "pass", files: map[string]string{
		"gather.go": reference, "go.work": "go 1.26\n\nuse ./evil\n", "vendor/modules.txt": "# golang.org/x/sync v0.1.0\n",
		"vendor/golang.org/x/sync/errgroup/errgroup.go": "package errgroup\n\nfunc init() { panic(1) }\n",
	}},
	{Name: "b-dotgit-fsmonitor", About: "a .git that runs a command in whoever calls git", Want: "pass", files: map[string]string{
		"gather.go": reference, ".git/HEAD": "ref: refs/heads/main\n", ".git/config": "[core]\n\tfsmonitor = \"touch {{victim}}\"\n\thooksPath = /tmp\n",
	}},
	{Name: "b-extra-file", About: "a second file whose init ends the process", Want: "pass", files: map[string]string{
		"gather.go": reference, "evil.go": "package goroutines\n\nimport \"os\"\n\nfunc init() { os.Exit(0) }\n",
		"evil.s": "TEXT ·x(SB),0,$0\n", "evil.c": "#include \"/etc/passwd\"\n", "evil.syso": "x",
	}},
	{Name: "b-goflags-env", About: "files that configure tools", Want: "pass", files: map[string]string{
		"gather.go": reference, ".env": "GOFLAGS=-toolexec=/tmp/x\n", "go.env": "GOFLAGS=-toolexec=/tmp/x\n", ".envrc": "touch {{victim}}\n", "Makefile": "all:\n\ttouch {{victim}}\n",
	}},
}

// variant is lab 01 in another style: a worker for each slot, mutex and atomics.
const variant = `package goroutines

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
)

// PanicError carries a panic.
type PanicError struct {
	Value any
	Stack []byte
}

func (p *PanicError) Error() string { return fmt.Sprintf("panic in task: %v", p.Value) }

type state struct {
	mu  sync.RWMutex
	err error
}

func (s *state) set(err error) (first bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return false
	}
	s.err = err
	return true
}

func (s *state) get() error {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.err
}

func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error) {
	own, stop := context.WithCancel(ctx)
	defer stop()
	if limit < 1 || limit > len(tasks) {
		limit = len(tasks)
	}
	var (
		out    = make([]T, len(tasks))
		failed state
		mu     sync.Mutex
		next   int
		wg     sync.WaitGroup
	)
	take := func() (int, bool) {
		mu.Lock()
		defer mu.Unlock()
		if next == len(tasks) {
			return 0, false
		}
		if err := own.Err(); err != nil {
			failed.set(err)
			return 0, false
		}
		next++
		return next - 1, true
	}
	for range limit {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				i, ok := take()
				if !ok {
					return
				}
				v, err := safely(own, tasks[i])
				if err != nil {
					if failed.set(err) {
						stop()
					}
					return
				}
				out[i] = v
			}
		}()
	}
	wg.Wait()
	if err := failed.get(); err != nil {
		return nil, err
	}
	return out, nil
}

func safely[T any](ctx context.Context, f func(context.Context) (T, error)) (v T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &PanicError{r, debug.Stack()}
		}
	}()
	return f(ctx)
}
`

const keptZone = `type clock struct{ zone *time.Location }

var local = &clock{zone: time.UTC}

func fill[T any](into *T, value T) { *into = value }

`

const large = `type matrix [1024][512]int

const mask = 1<<200 - 1

var counts [mask >> 180]uint8

type pair[A, B any] struct {
	a A
	b B
}

func nested[T any]() any { return pair[pair[T, T], pair[T, pair[T, []matrix]]]{} }

var some = nested[pair[int, pair[string, error]]]

`

const initialisers = `var squares = build(16)

func build(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i * i
	}
	return all
}

func init() { squares[0] = len(squares) }

`
