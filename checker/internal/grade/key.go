package grade

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
)

// sources are the parts of the workbook that cases are compiled from. A test asks the go
// command whether they are all. The checker itself is hashed as the program that runs.
var sources = []string{"go.mod", "go.sum", "labs/kit", "checker", "solutions"}

// checkerKey hashes the checker: its program, and the sources in the workbook at root. It
// does not choose the packages that decide a result, because such a choice can miss one. So
// after any change of the checker, if only of a word on a screen, a class is graded again.
func checkerKey(program, root string) (string, error) {
	h := sha256.New()
	text, err := os.Open(program)
	if err != nil {
		return "", fmt.Errorf("read the checker's own program: %w", err)
	}
	defer text.Close()
	if _, err := io.Copy(h, text); err != nil {
		return "", fmt.Errorf("read the checker's own program: %w", err)
	}
	for _, p := range sources {
		if err := hashTree(h, root, p); err != nil {
			return "", fmt.Errorf("read the workbook: %w", err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// labKey hashes all that decides a result of a lab but the submission: checker,
// toolchain and options. Deadlines are not in it: they need no grading to be changed.
func (g *grader) labKey(checker string, lab catalog.Lab) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %s %+v seed=%d stability=%d confined=%v isolate=%v\n",
		result.GradeSchema, checker, lab.Dir, g.toolchain, g.Seed, max(g.Stability, 1), g.Confined, g.Isolate)
	return hex.EncodeToString(h.Sum(nil))
}

// hashTree adds a file, or the sources below a directory.
func hashTree(h hash.Hash, root, rel string) error {
	return filepath.WalkDir(filepath.Join(root, filepath.FromSlash(rel)), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !slices.Contains([]string{".go", ".s", ".mod", ".sum"}, filepath.Ext(name)) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		short, err := filepath.Rel(root, name)
		hashFile(h, filepath.ToSlash(short), text)
		return err
	})
}

// hashFile adds a file so that no other files have the same bytes: lengths come first.
func hashFile(h hash.Hash, name string, text []byte) {
	fmt.Fprintf(h, "%d %d %s\n", len(name), len(text), name)
	h.Write(text)
}

// submissionKey adds what was submitted for a pair.
func submissionKey(labKey string, p pair) string {
	h := sha256.New()
	fmt.Fprintln(h, labKey)
	add := func(dir string, f submission.Found) {
		fmt.Fprintf(h, "%s %d\n", dir, len(f.Files))
		for _, name := range slices.Sorted(maps.Keys(f.Files)) {
			hashFile(h, name, f.Files[name])
		}
		if f.Rejection != nil {
			fmt.Fprintf(h, "%q\n", f.Rejection.Error())
		}
	}
	add(p.lab.Dir, p.found)
	for _, dir := range p.lab.Parts {
		add(dir, p.parts[dir])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// toolchain asks the go command that will build.
func toolchain(ctx context.Context, kit *gotest.Kit) (result.Toolchain, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir = kit.Root
	out, err := cmd.Output()
	if err != nil {
		return result.Toolchain{}, fmt.Errorf("ask for the version of go: %w", err)
	}
	return result.Toolchain{Go: strings.TrimSpace(string(out)), OS: runtime.GOOS, Arch: runtime.GOARCH}, nil
}
