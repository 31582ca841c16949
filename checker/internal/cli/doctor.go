package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/progress"
	"github.com/controllerbook/controllerbook/checker/internal/render"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

func newDoctor(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "can this machine grade, and how to fix it if not",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			checks := examine(cmd.Context())
			a.screen(a.Out).Doctor(checks)
			for _, c := range checks {
				if c.State == render.Fail {
					return errFailed
				}
			}
			return nil
		},
	}
}

// examine looks at everything a run needs, in the order in which it is needed.
func examine(ctx context.Context) []render.Check {
	checks := []render.Check{checkRepository(), checkGo(ctx)}
	if checks[1].State != render.Fail {
		checks = append(checks, checkCompiler(ctx), checkRace(ctx))
	}
	checks = append(checks, checkTemp(), checkProgress())
	checks = append(checks, teachersChecks()...)
	return append(checks, isolation(ctx)...)
}

func checkRepository() render.Check {
	c := render.Check{Name: "repository"}
	root, err := findRoot()
	if err != nil {
		c.State, c.Found, c.Fix = render.Fail, err.Error(), "change into your clone of controllerbook"
		return c
	}
	c.Found = root
	for _, lab := range catalog.Labs() {
		for _, f := range lab.Files {
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(lab.LabPath()), f)); err != nil {
				c.State = render.Warn
				c.Found = lab.LabPath() + "/" + f + " is missing"
				c.Fix = fmt.Sprintf("checker reset %d", lab.Number)
				return c
			}
		}
	}
	return c
}

var goVersion = regexp.MustCompile(`go1\.(\d+)`)

func checkGo(ctx context.Context) render.Check {
	c := render.Check{Name: "Go", Fix: "install Go 1.26 from https://go.dev/dl, or enter `nix develop`"}
	out, err := exec.CommandContext(ctx, "go", "env", "GOVERSION").CombinedOutput()
	if err != nil {
		c.State, c.Found = render.Fail, "the command go does not run: "+firstLine(err.Error())
		return c
	}
	c.Found = strings.TrimSpace(string(out))
	m := goVersion.FindStringSubmatch(c.Found)
	if m == nil {
		c.State = render.Warn
		return c
	}
	if minor, _ := strconv.Atoi(m[1]); minor < 26 {
		c.State = render.Fail
		return c
	}
	c.Fix = ""
	return c
}

func checkCompiler(ctx context.Context) render.Check {
	c := render.Check{Name: "C compiler", Fix: "install gcc or clang, or enter `nix develop`: the race detector is linked with it"}
	out, err := exec.CommandContext(ctx, "go", "env", "CC").Output()
	if err != nil {
		c.State, c.Found = render.Fail, err.Error()
		return c
	}
	fields := strings.Fields(string(out))
	if len(fields) == 0 {
		c.State, c.Found = render.Fail, "go env CC is empty"
		return c
	}
	path, err := exec.LookPath(fields[0])
	if err != nil {
		c.State, c.Found = render.Fail, fields[0]+" was not found"
		return c
	}
	c.Found, c.Fix = path, ""
	return c
}

// racy is a program with a data race that the detector must see.
const racy = `package main

func main() {
	x, done := 0, make(chan bool)
	go func() { x++; done <- true }()
	x++
	<-done
}
`

// checkRace builds and runs a racy program: a detector that is installed need not work.
func checkRace(ctx context.Context) render.Check {
	c := render.Check{Name: "race detector", State: render.Fail}
	dir, err := os.MkdirTemp("", "controllerbook-doctor-")
	if err != nil {
		c.Found = err.Error()
		return c
	}
	defer os.RemoveAll(dir)
	source := filepath.Join(dir, "racy.go")
	if err := os.WriteFile(source, []byte(racy), 0o600); err != nil {
		c.Found = err.Error()
		return c
	}
	binary := filepath.Join(dir, "racy.exe")
	build := exec.CommandContext(ctx, "go", "build", "-race", "-o", binary, source)
	build.Dir = dir
	build.Env = append(os.Environ(), "CGO_ENABLED=1", "GOFLAGS=", "GOWORK=off", "GO111MODULE=off", "GOTMPDIR="+dir)
	if out, err := build.CombinedOutput(); err != nil {
		c.Found, c.Fix = diagnose(fmt.Errorf("build with -race: %s", strings.TrimSpace(string(out))))
		return c
	}
	run := exec.CommandContext(ctx, binary)
	run.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	if out, _ := run.CombinedOutput(); !strings.Contains(string(out), "DATA RACE") {
		c.Found, c.Fix = "it did not see a race in a racy program", "report this with the output of `go env`"
		return c
	}
	c.State, c.Found = render.OK, "it sees a race in a racy program ("+runtime.GOOS+"/"+runtime.GOARCH+")"
	return c
}

func checkTemp() render.Check {
	c := render.Check{Name: "temporary directory", Found: os.TempDir()}
	dir, err := os.MkdirTemp("", "controllerbook-doctor-")
	if err != nil {
		c.State, c.Found, c.Fix = render.Fail, err.Error(), "set TMPDIR to a directory you may write to"
		return c
	}
	_ = os.RemoveAll(dir)
	return c
}

func checkProgress() render.Check {
	c := render.Check{Name: "progress"}
	root, err := findRoot()
	if err != nil {
		c.State, c.Found = render.Warn, "no repository, no progress"
		return c
	}
	s, err := progress.Load(progress.Path(root))
	switch {
	case err != nil:
		c.State, c.Found, c.Fix = render.Warn, err.Error(), "move "+short(root, progress.Path(root))+" away"
	case s.Damage != "":
		c.State, c.Found, c.Fix = render.Warn, "the file "+s.Damage, "the next run rebuilds it and keeps the old one"
	default:
		c.Found = short(root, progress.Path(root))
	}
	return c
}

// isolation looks at what confines untrusted code while it is graded; a learner's own code
// needs none. The first line says what checker grade would use, and that it works.
func isolation(ctx context.Context) []render.Check {
	best := render.Check{Name: "sandbox"}
	if i, err := sandbox.Choose(ctx, string(sandbox.Auto)); err == nil {
		best.Found = i.String()
	} else {
		best.State, best.Found, best.Fix = render.Warn, err.Error(), "only grading other people's code needs it: grade on Linux, with user namespaces or Landlock"
	}
	checks := []render.Check{best}
	for _, o := range sandbox.Offers() {
		c := render.Check{Name: o.Name, Found: o.Found + ": " + o.Gives}
		if !o.Have {
			c.State, c.Found, c.Fix = render.Warn, o.Found, "only grading other people's code needs it ("+o.Gives+")"
		}
		checks = append(checks, c)
	}
	return checks
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
