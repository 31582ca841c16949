package grade

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/digest"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/submission"
)

// labKey hashes all that decides a result of a lab but the submission: checker,
// toolchain and options. Deadlines are not in it: they need no grading to be changed.
func (g *grader) labKey(checker string, lab catalog.Lab) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s %s %+v seed=%d stability=%d confined=%v isolate=%v\n",
		result.GradeSchema, checker, lab.Dir, g.toolchain, g.Seed, max(g.Stability, 1), g.Confined, g.Isolate)
	return hex.EncodeToString(h.Sum(nil))
}

// submissionKey adds what was submitted for a pair.
func submissionKey(labKey string, p pair) string {
	h := sha256.New()
	fmt.Fprintln(h, labKey)
	add := func(dir string, f submission.Found) {
		fmt.Fprintf(h, "%s %d\n", dir, len(f.Files))
		digest.Files(h, f.Files)
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
