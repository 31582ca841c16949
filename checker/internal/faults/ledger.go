package faults

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Ledger remembers what became of the mutants of a lab, from run to run. It is a file for
// each build of the suite, with a line for each mutant. A line is written whole or is cut
// off at the end of the file, so a run that is interrupted loses nothing but what it was at.
type Ledger struct {
	file  *os.File
	known map[string]Fate // by the hash of the mutant's sources
}

// OpenLedger opens the ledger of a lab in a directory, for the suite and the toolchain as
// they are now. It blocks for the go command, which knows what the suite is made of.
func OpenLedger(ctx context.Context, dir, root string, lab catalog.Lab) (*Ledger, error) {
	build, err := fingerprint(ctx, root, lab)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	name := filepath.Join(dir, lab.Dir+"-"+build+".txt")
	text, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l := &Ledger{known: map[string]Fate{}}
	whole := bytes.LastIndexByte(text, '\n') + 1
	for line := range bytes.Lines(text[:whole]) {
		l.read(string(line))
	}
	if l.file, err = os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o644); err != nil {
		return nil, err
	}
	_, err = l.file.Seek(int64(whole), 0)
	return l, err
}

// The words of a ledger.
const (
	survived = "survived"
	refused  = "refused"
)

// read takes a line: a hash, and "survived", "refused", or the case and the verdict.
func (l *Ledger) read(line string) {
	switch f := strings.Fields(line); {
	case len(f) == 2 && f[1] == survived:
		l.known[f[0]] = Fate{}
	case len(f) == 2 && f[1] == refused:
		l.known[f[0]] = Fate{Refused: true}
	case len(f) == 3:
		l.known[f[0]] = Fate{Case: f[1], Verdict: verdict.Verdict(f[2])}
	}
}

// Fate is what is known of the mutant that files are.
func (l *Ledger) Fate(files map[string][]byte) (Fate, bool) {
	fate, known := l.known[hashFiles(files)]
	return fate, known
}

// Write notes what became of the mutant that files are.
func (l *Ledger) Write(files map[string][]byte, fate Fate) error {
	word := survived
	switch {
	case fate.Refused:
		word = refused
	case fate.Killed():
		word = fate.Case + " " + string(fate.Verdict)
	}
	_, err := fmt.Fprintf(l.file, "%s %s\n", hashFiles(files), word)
	return err
}

// Close closes the file.
func (l *Ledger) Close() error { return l.file.Close() }

func hashFiles(files map[string][]byte) string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(h, "%s %d\n%s", name, len(files[name]), files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// fingerprint stands for all that a verdict follows from but the mutant itself: the sources
// of suite, kit and of what builds and runs them, the modules they use, the toolchain, and
// what a mutant may cost.
func fingerprint(ctx context.Context, root string, lab catalog.Lab) (string, error) {
	files, err := sources(ctx, root, lab)
	if err != nil {
		return "", err
	}
	version, err := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOOS", "GOARCH").Output()
	if err != nil {
		return "", fmt.Errorf("ask the go command for its version: %w", err)
	}
	h := sha256.New()
	fmt.Fprintln(h, string(version), MutantBudget, tries)
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}

// listing prints the module's own sources, one a line: a directory and a name.
const listing = `{{if and .Module .Module.Main}}{{$dir := .Dir}}{{range .GoFiles}}{{$dir}}	{{.}}
{{end}}{{range .XTestGoFiles}}{{$dir}}	{{.}}
{{end}}{{end}}`

// sources are the files of the repository that a verdict follows from, in order, relative
// to root. The files of the source that is mutated are not among them.
func sources(ctx context.Context, root string, lab catalog.Lab) ([]string, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-test", "-deps", "-f", listing, "./"+lab.Bridge, "./checker/internal/gotest")
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr = root, &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list what the suite of %s is made of: %w: %s", lab.Dir, err, said.Bytes())
	}
	own := filepath.FromSlash(lab.SolutionPath()) + string(filepath.Separator)
	files := []string{"go.mod", "go.sum"}
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); {
		dir, base, _ := strings.Cut(s.Text(), "\t")
		if filepath.IsAbs(base) {
			continue // a test's main package, which is in the build cache
		}
		name, err := filepath.Rel(root, filepath.Join(dir, base))
		if err != nil {
			return nil, err
		}
		if !strings.HasPrefix(name, own) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}
