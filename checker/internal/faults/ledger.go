package faults

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/digest"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// Ledger remembers what became of the mutants of a lab, from run to run. It is a file for
// each build of the suite, with a line for each mutant. A line is written whole or is cut
// off at the end of the file, so a run that is interrupted loses nothing but what it was at.
type Ledger struct {
	file  *os.File
	known map[string]fated // by the hash of the mutant's sources
}

// fated is what is known of a mutant.
type fated struct {
	Fate
	rounds uint64 // in so many, where it survived
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
	l := &Ledger{known: map[string]fated{}}
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
	stood    = "stood" // survived one round, and no more were wanted
	refused  = "refused"
)

// read takes a line: a hash, and "survived", "stood", "refused", or the case and the verdict.
func (l *Ledger) read(line string) {
	switch f := strings.Fields(line); {
	case len(f) == 2 && f[1] == survived:
		l.known[f[0]] = fated{rounds: tries}
	case len(f) == 2 && f[1] == stood:
		l.known[f[0]] = fated{rounds: 1}
	case len(f) == 2 && f[1] == refused:
		l.known[f[0]] = fated{Fate: Fate{Refused: true}}
	case len(f) == 3:
		l.known[f[0]] = fated{Fate: Fate{Case: f[1], Verdict: verdict.Verdict(f[2])}}
	}
}

// Fate is what is known of the mutant that files are. One that has survived is known only if
// that was in so many rounds.
func (l *Ledger) Fate(files map[string][]byte, rounds uint64) (Fate, bool) {
	f, known := l.known[hashFiles(files)]
	if f.Fate == (Fate{}) && f.rounds < rounds {
		return Fate{}, false
	}
	return f.Fate, known
}

// Write notes what became of the mutant that files are in so many rounds, unless the suite
// failed itself: then nothing is known.
func (l *Ledger) Write(files map[string][]byte, fate Fate, rounds uint64) error {
	word := survived
	switch {
	case fate.Broken != "":
		return nil
	case fate == (Fate{}) && rounds < tries:
		word = stood
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
	digest.Files(h, files)
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// fingerprint stands for all that a verdict follows from but the mutant itself: the sources
// of suite, kit and of what builds and runs them, the modules they use, the toolchain, and
// what a mutant may cost.
func fingerprint(ctx context.Context, root string, lab catalog.Lab) (string, error) {
	all, err := fingerprints(ctx, root, []catalog.Lab{lab}, "./checker/internal/gotest")
	return all[lab.Dir], err
}

// fingerprints are those of labs, by directory, where the verdict is that of a package of
// the checker.
func fingerprints(ctx context.Context, root string, labs []catalog.Lab, checker string) (map[string]string, error) {
	version, err := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOOS", "GOARCH").Output()
	if err != nil {
		return nil, fmt.Errorf("ask the go command for its version: %w", err)
	}
	listed, err := list(ctx, root, labs, checker)
	if err != nil {
		return nil, err
	}
	prints := map[string]string{}
	for _, lab := range labs {
		h := sha256.New()
		fmt.Fprintln(h, string(version), Budget, tries)
		for _, name := range listed.of(lab, checker) {
			text, err := os.ReadFile(filepath.Join(root, name))
			if err != nil {
				return nil, err
			}
			digest.File(h, name, text)
		}
		prints[lab.Dir] = hex.EncodeToString(h.Sum(nil)[:6])
	}
	return prints, nil
}

// listing prints packages of the module, one a line: what it is, what it depends on, its
// directory, and its sources.
const listing = `{{if and .Module .Module.Main}}{{.ImportPath}}	{{join .Deps "|"}}	{{.Dir}}	{{join .GoFiles " "}} {{join .SFiles " "}}{{end}}`

// listed are packages of the module, by what the go command calls them.
type listed map[string]sources

// sources are the files of a package, relative to the root, and the packages it depends on.
type sources struct{ deps, files []string }

// list has the go command list what the suites of labs, and a package of the checker, are
// made of.
func list(ctx context.Context, root string, labs []catalog.Lab, checker string) (listed, error) {
	args := []string{"list", "-race", "-deps", "-f", listing, checker}
	for _, lab := range labs {
		args = append(args, "./"+lab.Bridge)
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr = root, &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list what the suites are made of: %w: %s", err, said.Bytes())
	}
	all := listed{}
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			continue
		}
		dir, err := filepath.Rel(root, f[2])
		if err != nil {
			return nil, err
		}
		s := sources{deps: strings.Split(f[1], "|")}
		for _, base := range strings.Fields(f[3]) {
			s.files = append(s.files, filepath.Join(dir, base))
		}
		all[f[0]] = s
	}
	return all, nil
}

// of are the files of the repository that a verdict follows from, in order. The files of the
// solution, in whose place the subject is, are not among them.
func (l listed) of(lab catalog.Lab, checker string) []string {
	own := filepath.FromSlash(lab.SolutionPath()) + string(filepath.Separator)
	files := []string{"go.mod", "go.sum"}
	for _, top := range []string{lab.Bridge, strings.TrimPrefix(checker, "./")} {
		top = catalog.Module + "/" + top
		for _, pkg := range append([]string{top}, l[top].deps...) {
			for _, name := range l[pkg].files {
				if !strings.HasPrefix(name, own) {
					files = append(files, name)
				}
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
