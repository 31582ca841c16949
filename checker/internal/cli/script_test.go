package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"checker": func() { os.Exit(Main(os.Args[1:], Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr})) },
	})
}

// TestScripts uses the checker as a learner does: each script has a copy of the
// workbook of its own, in $WORK/book.
func TestScripts(t *testing.T) {
	goEnv := goEnvironment(t)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			checker, err := exec.LookPath("checker") // for scripts that take PATH away
			if err != nil {
				return err
			}
			e.Vars = append(e.Vars, append(goEnv, "CHECKER="+checker, "HOME="+e.WorkDir, "XDG_CACHE_HOME="+filepath.Join(e.WorkDir, "cache"))...)
			book := filepath.Join(e.WorkDir, "book")
			e.Cd = book
			return clone(book)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"interrupt": interrupt,
			"killed":    killed,
			"longest":   longest,
		},
	})
}

// goEnvironment lets the go command of a script use this machine's caches.
func goEnvironment(t *testing.T) []string {
	vars := []string{"GOFLAGS=", "GOTOOLCHAIN=local"}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOROOT"} {
		out, err := exec.Command("go", "env", name).Output()
		require.NoError(t, err)
		vars = append(vars, name+"="+strings.TrimSpace(string(out)))
	}
	return vars
}

// clone copies the workbook as far as a run needs it, with the stubs where the
// learner's code is: the tree under test may hold solved labs.
func clone(book string) error {
	wd, err := os.Getwd()
	if err != nil {
		return err
	}
	root := filepath.Join(wd, "..", "..", "..")
	for _, dir := range []string{"labs", "solutions", "checker/internal", "checker/nudge"} {
		if err := os.CopyFS(filepath.Join(book, dir), os.DirFS(filepath.Join(root, dir))); err != nil {
			return err
		}
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(book, name), text, 0o644); err != nil {
			return err
		}
	}
	return os.CopyFS(filepath.Join(book, "stubs"), os.DirFS(filepath.Join(root, "checker", "internal", "stubs")))
}

// exits N checker args… runs the checker and wants exit code N.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N command args…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var exit *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, not %d", got, want)
	}
}

// interrupt PATTERN checker args… starts the checker, sends it Ctrl-C once a process
// that matches PATTERN has started under it, and wants exit code 130, no process and
// no temporary file left.
func interrupt(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: interrupt child-name command args…")
	}
	temp := ts.MkAbs("tmp")
	ts.Check(os.MkdirAll(temp, 0o755))
	cmd := exec.Command(args[1], args[2:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PWD="+cmd.Dir, "TMPDIR="+temp, "PATH="+ts.Getenv("PATH"), "GOCACHE="+ts.Getenv("GOCACHE"), "HOME="+ts.Getenv("HOME"), "XDG_CACHE_HOME="+ts.Getenv("XDG_CACHE_HOME"), "GOMODCACHE="+ts.Getenv("GOMODCACHE"))
	ts.Check(cmd.Start())
	for deadline := time.Now().Add(time.Minute); !running(args[0], temp); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("no process named %s appeared", args[0])
		}
	}
	ts.Check(cmd.Process.Signal(syscall.SIGINT))
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
		ts.Fatalf("after Ctrl-C: %v", err)
	}
	left, err := os.ReadDir(temp)
	ts.Check(err)
	if len(left) > 0 {
		ts.Fatalf("%s was left in the temporary directory", left[0].Name())
	}
	for deadline := time.Now().Add(10 * time.Second); running(args[0], temp); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			ts.Fatalf("a process named %s was left", args[0])
		}
	}
}

// running reports whether a process of that name runs whose command line or working
// directory is below temp.
func running(name, temp string) bool {
	procs, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, p := range procs {
		line, err := os.ReadFile(p)
		if err == nil && strings.Contains(string(line), temp) && strings.Contains(string(line), name) {
			return true
		}
	}
	return false
}

// longest N wants no line of the last output to be wider than N columns.
func longest(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile("stdout")) {
		if w := len([]rune(strings.TrimRight(line, "\n"))); w > n {
			ts.Fatalf("a line of %d columns: %s", w, line)
		}
	}
}
