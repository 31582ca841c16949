package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/faults"
	"github.com/controllerbook/controllerbook/checker/internal/pack"
	"github.com/controllerbook/controllerbook/checker/internal/stress"
	"github.com/controllerbook/controllerbook/checker/internal/suites"
	"github.com/controllerbook/controllerbook/checker/internal/trust"
)

func newTrust(a *app) *cobra.Command {
	var names []string
	for _, c := range trust.Claims() {
		names = append(names, c.Name)
	}
	times := stressTimes
	cmd := &cobra.Command{
		Use:   "trust [CLAIM [LAB…]]",
		Short: "for authors: measure what the book says of itself",
		Long: `trust runs the command that proves CLAIM, or those of all claims, and writes what it
counted to ` + trust.Page + `: with the date, the commit, the machine and its load.
The claims are ` + strings.Join(names, ", ") + `. Those that are measured lab by lab can be measured
for some labs only; the page keeps what it has of the others.

The tree has to be committed: a figure is about a commit. All claims for all labs take
hours; each measurement is written as soon as it is taken.

Exit codes: 0 all that was measured holds · 1 something does not, and the page says so ·
2 bad usage, or the tree is not committed · 3 the checker or the machine failed · 130 interrupted`,
		Example: "  checker trust faults\n  checker trust mutants 10 11\n  checker trust stability 7 --times 40",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.trust(cmd.Context(), args, times)
		},
	}
	cmd.Flags().IntVar(&times, "times", times, "runs of each case for stability, in all settings together")
	return cmd
}

// gauge is how a claim is measured: by a program at the root, and what its output says.
type gauge struct {
	args  func(lab, file string) []string // of the checker's command; its output goes to file where args name it
	other *exec.Cmd                       // what is run in the place of the checker
	shown string                          // what a reader types for other
	read  func(lab string, out []byte) ([]string, error)
}

func gaugeOf(root string, c trust.Claim, times int) gauge {
	switch c.Name {
	case "faults":
		return gauge{
			args: func(lab, _ string) []string { return []string{"verify", lab, "--afresh"} },
			read: func(lab string, _ []byte) ([]string, error) { return proofFigures(root, lab) },
		}
	case "mutants":
		return gauge{args: func(lab, _ string) []string { return []string{"mutate", lab, "--json"} }, read: mutantFigures}
	case "stability":
		return gauge{
			args: func(lab, file string) []string {
				return []string{"stress", "--all", lab, "--times", strconv.Itoa(times), "--out", file}
			},
			read: stabilityFigures,
		}
	case "pack":
		return gauge{args: func(_, _ string) []string { return []string{"bench", "--pack", "checker/pack", "--json"} }, read: packFigures}
	}
	upstream := exec.Command("go", "test", "-count=1", "-json", ".")
	upstream.Dir = filepath.Join(root, "checker", "upstream")
	upstream.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	return gauge{other: upstream, shown: "make test-upstream", read: upstreamFigures}
}

func (a *app) trust(ctx context.Context, args []string, times int) error {
	if times < 1 {
		return usageError{errors.New("--times is a number of runs, 1 or more")}
	}
	claims, labs, err := claimsOf(args)
	if err != nil {
		return err
	}
	root, err := findRoot()
	if err != nil {
		return err
	}
	commit, err := committed(ctx, root)
	if err != nil {
		return err
	}
	held := true
	for _, c := range claims {
		of := labs
		if !c.PerLab {
			of = []string{""}
		}
		for _, lab := range of {
			m, err := a.measure(ctx, root, c, lab, times)
			if err != nil {
				return err
			}
			m.Commit = commit
			if err := putOnPage(root, m); err != nil {
				return err
			}
			held = held && m.Held
			a.screen(a.Out).Note(fmt.Sprintf("%s %s: %s", c.Name, lab, c.Sentence(m)))
		}
	}
	if !held {
		return errFailed
	}
	return nil
}

// claimsOf is what args name: a claim, or all, and the labs to measure it for.
func claimsOf(args []string) ([]trust.Claim, []string, error) {
	claims := trust.Claims()
	if len(args) > 0 {
		c, known := trust.Find(args[0])
		if !known {
			return nil, nil, usageError{fmt.Errorf("there is no claim %q", args[0])}
		}
		if !c.PerLab && len(args) > 1 {
			return nil, nil, usageError{fmt.Errorf("%s is not measured lab by lab", c.Name)}
		}
		claims, args = []trust.Claim{c}, args[1:]
	}
	labs, err := chosen(args)
	if err != nil {
		return nil, nil, err
	}
	var dirs []string
	for _, lab := range labs {
		dirs = append(dirs, lab.Dir)
	}
	return claims, dirs, nil
}

// committed is the commit of the tree at root. A tree with changes has none, but for
// changes of what trust itself writes.
func committed(ctx context.Context, root string) (string, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", append([]string{"-C", root}, args...)...).Output()
		return strings.TrimSpace(string(out)), err
	}
	status, err := git("status", "--porcelain", "--", ".", ":!"+trust.File, ":!"+trust.Page)
	if err != nil {
		return "", usageError{fmt.Errorf("which commit is this? git status: %w", err)}
	}
	if status != "" {
		return "", usageError{errors.New("the tree has changes that are not committed: a figure is about a commit")}
	}
	return git("rev-parse", "--short=12", "HEAD")
}

// measure runs the command of a claim. That it says no is a measurement, too.
func (a *app) measure(ctx context.Context, root string, c trust.Claim, lab string, times int) (trust.Measurement, error) {
	m := trust.Measurement{
		Claim: c.Name, Lab: lab, At: time.Now().UTC().Truncate(time.Second), Go: runtime.Version(), Load: load(),
		Machine: fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
	}
	dir, err := os.MkdirTemp("", "controllerbook-trust-*")
	if err != nil {
		return m, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "out.json")
	g := gaugeOf(root, c, times)
	cmd := g.other
	m.Command = g.shown
	if cmd == nil {
		self, err := os.Executable()
		if err != nil {
			return m, err
		}
		args := g.args(lab, file)
		cmd = exec.Command(self, args...)
		cmd.Dir = root
		m.Command = "checker " + strings.TrimSuffix(strings.Join(args, " "), " --out "+file)
	}
	out, err := a.output(ctx, cmd)
	m.Took = time.Since(m.At)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() != exitFailed || err != nil && exit == nil {
		return m, fmt.Errorf("%s: %w", m.Command, cmp.Or(ctx.Err(), err))
	}
	m.Held = err == nil
	if written, err := os.ReadFile(file); err == nil {
		out = written
	}
	m.Figures, err = g.read(lab, out)
	return m, err
}

// output runs cmd until it ends or ctx is done, shows what it says on standard error, and
// returns its standard output.
func (a *app) output(ctx context.Context, cmd *exec.Cmd) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, a.Err
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = cmd.Process.Signal(os.Interrupt) })
	defer stop()
	err := cmd.Wait()
	return out.Bytes(), err
}

// load is the load average of the last minute, or nothing where the system has none.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}

// putOnPage puts a measurement on the page.
func putOnPage(root string, m trust.Measurement) error {
	record, err := trust.Read(root)
	if err != nil {
		return err
	}
	record.Put(m)
	return record.Write(root)
}

// figures writes numbers as the page shows them.
func figures(numbers ...int) []string {
	var s []string
	for _, n := range numbers {
		s = append(s, strconv.Itoa(n))
	}
	return s
}

func proofFigures(root, dir string) ([]string, error) {
	lab, err := catalog.Find(dir)
	if err != nil {
		return nil, err
	}
	of, err := suites.Of([]catalog.Lab{lab})
	if err != nil {
		return nil, err
	}
	checks, err := faults.Checks(root, of[0])
	if err != nil {
		return nil, err
	}
	kinds := map[string]int{}
	for _, c := range checks {
		kind, _, _ := strings.Cut(c.Name, " ")
		kinds[kind]++
	}
	return figures(len(lab.Cases), kinds["fault"], kinds["alternative"], kinds["trivial"]), nil
}

func mutantFigures(_ string, out []byte) ([]string, error) {
	var rows []counted
	if err := json.Unmarshal(out, &rows); err != nil {
		return nil, fmt.Errorf("read what mutate printed: %w", err)
	}
	var all counted
	for _, r := range rows {
		all.Mutants += r.Mutants
		all.Killed += r.Killed
		all.Equivalent += r.Equivalent
		all.Survived += r.Survived
	}
	return figures(all.Mutants, all.Killed, all.Equivalent, all.Survived), nil
}

func stabilityFigures(_ string, out []byte) ([]string, error) {
	var r stress.Report
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("read what stress wrote: %w", err)
	}
	runs, failures := r.Runs()
	return figures(len(r.Subjects), runs, failures), nil
}

func packFigures(_ string, out []byte) ([]string, error) {
	var r pack.Report
	if err := json.Unmarshal(out, &r); err != nil {
		return nil, fmt.Errorf("read what bench printed: %w", err)
	}
	t := r.Total
	return []string{
		strconv.Itoa(t.Wrong), strconv.FormatFloat(t.One, 'f', 1, 64), fmt.Sprintf("%d (of %d runs)", t.Ever, r.Runs),
		strconv.Itoa(t.Right), strconv.Itoa(t.FalseEver),
	}, nil
}

// upstreamFigures counts the tests that have no tests within: those are the cases.
func upstreamFigures(_ string, out []byte) ([]string, error) {
	ended := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var event struct{ Action, Test string }
		if err := d.Decode(&event); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read what go test printed: %w", err)
		}
		if event.Test != "" && slices.Contains([]string{"pass", "fail", "skip"}, event.Action) {
			ended[event.Test] = event.Action
		}
	}
	counts := map[string]int{}
	for test, how := range ended {
		if !isParent(test, ended) {
			counts[how]++
		}
	}
	return figures(counts["pass"], counts["fail"], counts["skip"]), nil
}

func isParent(test string, ended map[string]string) bool {
	for other := range ended {
		if strings.HasPrefix(other, test+"/") {
			return true
		}
	}
	return false
}
