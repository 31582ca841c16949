package pack

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/pack/packtest"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Order says how to run a pack.
type Order struct {
	Runs int    // how often each program runs
	Seed uint64 // of the first run; the next has the next
	Done func(Run)
}

// Run is one program of an item and how its runs ended.
type Run struct {
	Item    *Item
	Fixed   bool // it is the item's fixed twin
	Results []outcome.Result

	Compiler string // what the compiler said of a program that does not compile; it was not run then
}

// Right reports whether the program has no mistake.
func (r Run) Right() bool { return r.Fixed || len(r.Item.Meta.Expect) == 0 }

// Case is the case of that name. Each of the suite's cases calls a program's Kernel.
func Case(name string) conform.Meta { return conform.Meta{Name: name, Func: "Kernel"} }

// Bench runs all programs of a pack, as many side by side as there are processors, and
// returns what came of them in the pack's order. Nothing of a pack is confined: it is
// run as the learner's own code is.
func Bench(ctx context.Context, kit *gotest.Kit, p *Pack, o Order) ([]Run, error) {
	runs := p.runs()
	var (
		wg     sync.WaitGroup
		mu     sync.Mutex // guards calls of o.Done
		slots  = make(chan struct{}, runtime.GOMAXPROCS(0))
		failed = make([]error, len(runs))
	)
	for i := range runs {
		wg.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if failed[i] = ctx.Err(); failed[i] == nil {
				failed[i] = runs[i].repeat(ctx, kit, p.Lang, o)
			}
			mu.Lock()
			defer mu.Unlock()
			if failed[i] == nil && o.Done != nil {
				o.Done(runs[i])
			}
		})
	}
	wg.Wait()
	return runs, errors.Join(failed...)
}

// runs are the programs of the pack, not run yet.
func (p *Pack) runs() []Run {
	var runs []Run
	for i := range p.Items {
		item := &p.Items[i]
		if item.Subject != nil {
			runs = append(runs, Run{Item: item})
		}
		if item.Fixed != nil {
			runs = append(runs, Run{Item: item, Fixed: true})
		}
	}
	return runs
}

// Programs is how many programs the pack has.
func (p *Pack) Programs() int { return len(p.runs()) }

// repeat builds a program and runs it.
func (r *Run) repeat(ctx context.Context, kit *gotest.Kit, lang string, o Order) error {
	binary, err := kit.Build(ctx, r.subject(lang))
	var broken *gotest.CompileError
	if errors.As(err, &broken) {
		r.Compiler = broken.Text
		return nil
	}
	if err != nil {
		return fmt.Errorf("build %s: %w", r.Name(), err)
	}
	defer binary.Remove()
	for n := range max(o.Runs, 1) {
		result, err := r.run(ctx, binary, o.Seed+uint64(n))
		if err != nil {
			return fmt.Errorf("run %s: %w", r.Name(), err)
		}
		r.Results = append(r.Results, result)
	}
	return nil
}

// A kernel that may not be copied runs in so many processes, as long as that takes little time:
// one run of it tries about as much as one of a kernel that may.
const (
	processes = 8
	enough    = time.Second
)

// run runs the program once, and one that is not copied until it fails.
func (r *Run) run(ctx context.Context, binary *gotest.Binary, seed uint64) (result outcome.Result, err error) {
	if r.Item.Meta.Copies {
		result, err = binary.Run(ctx, Case(packtest.Copies), seed)
		if err != nil || result.Verdict != verdict.OutputFlood {
			return result, err
		}
		// What a thousand copies print may be too much where one prints little.
	}
	began := time.Now()
	for n := range uint64(processes) {
		result, err = binary.Run(ctx, Case(packtest.Once), seed+n<<32)
		if err != nil || result.Verdict != verdict.Pass || time.Since(began) > enough {
			break
		}
	}
	return result, err
}

// Name is the program's directory in the pack.
func (r Run) Name() string {
	if r.Fixed {
		return "items/" + r.Item.ID + "/fixed"
	}
	return "items/" + r.Item.ID + "/subject"
}

func (r Run) subject(lang string) subject.Subject {
	files := r.Item.Subject
	if r.Fixed {
		files = r.Item.Fixed
	}
	dir := "pack/" + r.Item.ID
	return subject.Foreign(subject.Package{Dir: dir, Files: files, Bridge: fmt.Appendf(nil, bridge, catalog.Module, dir), Lang: lang})
}

// bridge hands a program to the suite.
const bridge = `package pack

import (
	"testing"

	"%[1]s/checker/internal/conform"
	suite "%[1]s/checker/internal/pack/packtest"
	subject "%[1]s/%[2]s"
)

func Cases(t *testing.T) {
	conform.Run(t, suite.Cases(), func() suite.Subject { return suite.Subject{Kernel: subject.Kernel, T: t} })
}
`
