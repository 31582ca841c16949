package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

// pane is a terminal of 80 columns and 24 lines, of tmux's.
type pane struct {
	t    *testing.T
	name string
}

// inTerminal runs a shell command in a terminal, until the test ends.
func inTerminal(t *testing.T, dir string, env []string, command string) *pane {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("there is no tmux here")
	}
	p := &pane{t, fmt.Sprintf("controllerbook-%d-%s", os.Getpid(), t.Name())}
	cmd := exec.Command("tmux", "-f", "/dev/null", "-L", p.name, "new-session", "-d", "-x", "80", "-y", "24", command)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", p.name, "kill-server").Run() })
	return p
}

// resize gives the terminal another size.
func (p *pane) resize(width, height int) {
	require.NoError(p.t, exec.Command("tmux", "-L", p.name, "resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height)).Run())
}

func (p *pane) press(keys ...string) {
	require.NoError(p.t, exec.Command("tmux", append([]string{"-L", p.name, "send-keys"}, keys...)...).Run())
}

// shows waits until every one of the texts stands on the screen. The limit is for
// programs that hang: no machine is that slow.
func (p *pane) shows(texts ...string) string {
	var screen string
	require.Eventually(p.t, func() bool {
		out, err := exec.Command("tmux", "-L", p.name, "capture-pane", "-p").Output()
		screen = string(out)
		for _, text := range texts {
			if err != nil || !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	}, 3*time.Minute, 100*time.Millisecond, "the screen does not show %q, but\n%s", texts, &printed{&screen})
	return screen
}

// printed is a screen as it stands when a message is printed.
type printed struct{ screen *string }

func (p *printed) String() string { return *p.screen }

// built is the checker, compiled.
func built(t *testing.T) string {
	checker := filepath.Join(t.TempDir(), "checker")
	out, err := exec.Command("go", "build", "-buildvcs=false", "-o", checker, "../..").CombinedOutput()
	require.NoError(t, err, string(out))
	return checker
}

// nothingLeft wants no file in a temporary directory, and no process that has to do with it.
func nothingLeft(t *testing.T, temp string) {
	left, err := os.ReadDir(temp)
	require.NoError(t, err)
	assert.Empty(t, left, "a temporary directory was left behind")
	running, _ := exec.Command("pgrep", "-f", temp).Output()
	assert.Empty(t, string(running), "a process was left behind")
}

func TestPlayInATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a control plane")
	}
	book, temp := filepath.Join(t.TempDir(), "book"), t.TempDir()
	require.NoError(t, clone(book))
	checker := built(t)
	env := []string{"TMPDIR=" + temp, "NO_COLOR=1"}

	p := inTerminal(t, book, env, checker+" play --reference all; echo ended with $?; stty -a; sleep 600")
	screen := p.shows("5 desired", "5 available", "as desired", "Running")
	for _, line := range strings.Split(screen, "\n") {
		assert.LessOrEqual(t, len([]rune(line)), 80)
	}
	p.press("+")
	p.shows("6 desired", "6 available", "Scaling to 6 replicas.")
	p.press("r")
	p.shows("web:2", "6 updated", "6 available", "as desired")
	p.press("u")
	p.shows("web:1", "6 updated", "6 available", "as desired")
	p.press("k")
	p.shows("node-1    lost")
	p.press("w")
	p.shows("watches were cut")
	p.press("x")
	p.shows("was killed in the middle of its work")
	p.press(">")
	p.shows("16 desired", "16 available", "as desired")
	p.press("n")
	p.shows("node-1    ready")
	rent(p)
	p.press("C-c")
	screen = p.shows("ended with 0", " echo ") // and its mode is what it was
	assert.NotContains(t, screen, "desired", "the terminal has its own screen again")
	nothingLeft(t, temp)
}

// rent makes, grows and deletes a database, and ends the operator and the cloud between.
func rent(p *pane) {
	p.press("d")
	p.shows("pg-1   10 GiB  ✗ Creating    ✓ InSync      yes       creating", "the cloud is up")
	p.shows("pg-1   10 GiB  ✓ Available   ✓ InSync      yes       available, 10 GiB")
	p.press("x")
	p.shows("The operator was killed in the middle of its work")
	p.press("g")
	p.shows("pg-1   20 GiB  ✓ Available   ✓ InSync      yes       modifying")
	p.shows("available, 20 GiB")
	p.press("o")
	p.press("D")
	p.shows("the cloud is down", "✗ Deleting    ✗ CloudError  yes       available, 20 GiB", "Unavailable")
	p.press("o")
	p.shows("none: d makes one", "DeleteDatabase pg-1   → NotFound")
}

func TestPlayWithAStub(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a control plane")
	}
	book := filepath.Join(t.TempDir(), "book")
	require.NoError(t, clone(book))
	p := inTerminal(t, book, []string{"NO_COLOR=1"}, built(t)+" play; echo ended with $?; stty -a; sleep 600")
	screen := p.shows("ended with 1", " echo ")
	assert.Contains(t, screen, "is not written yet")
	assert.Contains(t, screen, "make lab-8")
}

// TestPlayBeforeTheOperator: who has just done lab 22 wants to see it at work, and lab 23 comes next.
func TestPlayBeforeTheOperator(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a control plane")
	}
	book := filepath.Join(t.TempDir(), "book")
	require.NoError(t, clone(book))
	lab, err := catalog.Find("22")
	require.NoError(t, err)
	for _, file := range lab.Files {
		solved, err := os.ReadFile(filepath.Join(book, lab.SolutionPath(), file))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(book, lab.LabPath(), file), solved, 0o600))
	}
	checker := built(t)
	command := checker + " play --reference " + strings.Join(lab.Parts, ",")
	p := inTerminal(t, book, []string{"NO_COLOR=1"}, command+"; echo ended with $?; sleep 600")
	p.shows("5 desired", "as desired", "Lab 23, the operator, is still to be built")
	p.press("q")
	p.shows("ended with 0")
}

func TestPlayNeedsATerminal(t *testing.T) {
	var out, errs strings.Builder
	code := Main([]string{"play"}, Streams{In: strings.NewReader("q"), Out: &out, Err: &errs})
	assert.Equal(t, exitUsage, code)
	assert.Contains(t, errs.String(), "play needs a terminal")
}
