package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// killed OUT N checker args… submits the reference for N students in ../class, then
// starts the checker and kills it, as nothing can be caught, as soon as it has kept
// another result: until all N are there. Results that stood must stay as they are.
func killed(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: killed OUT N command args…")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	source := ts.ReadFile("solutions/01-goroutines/gather.go")
	for i := range n {
		dir := ts.MkAbs(fmt.Sprintf("../class/s%d", i))
		ts.Check(os.MkdirAll(dir, 0o755))
		ts.Check(os.WriteFile(filepath.Join(dir, "gather.go"), fmt.Appendf(nil, "%s\n// %d\n", source, i), 0o644))
	}
	kept := map[string]string{}
	for try := 0; len(kept) < n; try++ {
		if try > 3*n {
			ts.Fatalf("after %d tries only %d of %d results", try, len(kept), n)
		}
		killOnce(ts, filepath.Join(ts.MkAbs(args[0]), "results"), kept, time.Duration(try*37%100)*time.Millisecond, args[2:])
	}
}

// killOnce lets the checker keep one result more, and look for what it does next.
func killOnce(ts *testscript.TestScript, results string, kept map[string]string, later time.Duration, args []string) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PWD="+cmd.Dir, "TMPDIR="+ts.MkAbs("../tmp"), "GOCACHE="+ts.Getenv("GOCACHE"), "GOMODCACHE="+ts.Getenv("GOMODCACHE"))
	ts.Check(os.MkdirAll(ts.MkAbs("../tmp"), 0o755))
	ts.Check(cmd.Start())
	for deadline := time.Now().Add(2 * time.Minute); count(results) <= len(kept) && time.Now().Before(deadline); {
		time.Sleep(2 * time.Millisecond)
	}
	time.Sleep(later)
	ts.Check(cmd.Process.Kill())
	_ = cmd.Wait()
	names, _ := filepath.Glob(filepath.Join(results, "*", "*.json"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		ts.Check(err)
		if before, ok := kept[name]; ok && before != string(text) {
			ts.Fatalf("%s was made again", name)
		}
		kept[name] = string(text)
	}
}

func count(results string) int {
	names, _ := filepath.Glob(filepath.Join(results, "*", "*.json"))
	return len(names)
}
