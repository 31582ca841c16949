package grade

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
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
	"github.com/controllerbook/controllerbook/checker/internal/report"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
)

// deciding are the packages that a result hangs on beside the lab's own suite: what
// runs a case, what watches it and what judges it.
var deciding = []string{
	"go.mod", "go.sum", "labs/kit", "checker/internal/conform", "checker/internal/wire", "checker/internal/goroutine",
	"checker/internal/gate", "checker/internal/gotest", "checker/internal/outcome", "checker/internal/judge",
}

// labKey hashes all that decides a result of a lab but the submission: sources,
// toolchain and options. Deadlines are not in it: they need no grading to be changed.
func (g *grader) labKey(lab catalog.Lab) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %+v seed=%d stability=%d confined=%v\n", report.GradeSchema, lab.Dir, g.toolchain, g.Seed, max(g.Stability, 1), g.Confined)
	paths := append(slices.Clone(deciding), lab.Suite, lab.Bridge, "checker/internal/stubs/"+lab.Dir)
	if lab.Wiring != "" {
		paths = append(paths, lab.Wiring, "solutions")
	}
	for _, p := range paths {
		if err := hashTree(h, g.kit.Root, p); err != nil {
			return "", fmt.Errorf("read the suite of lab %s: %w", lab.Dir, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// hashTree adds the Go files below a path, or a single file.
func hashTree(h hash.Hash, root, rel string) error {
	return filepath.WalkDir(filepath.Join(root, filepath.FromSlash(rel)), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(name) != ".go" && !strings.HasPrefix(e.Name(), "go.") {
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

// submissionKey adds what was handed in for a pair.
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
func toolchain(ctx context.Context, kit *gotest.Kit) (report.Toolchain, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "GOVERSION")
	cmd.Dir = kit.Root
	out, err := cmd.Output()
	if err != nil {
		return report.Toolchain{}, fmt.Errorf("ask for the version of go: %w", err)
	}
	return report.Toolchain{Go: strings.TrimSpace(string(out)), OS: runtime.GOOS, Arch: runtime.GOARCH}, nil
}
