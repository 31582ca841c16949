package cli

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// restored is what a shell prints once a command has left the terminal as it was.
const restored = "; echo ended with $?; stty -a; sleep 600"

// ownCache gives what this test starts a memory of its own: it remembers no verdict of
// another test.
func ownCache(t *testing.T) {
	for _, variable := range goEnvironment(t) {
		name, value, _ := strings.Cut(variable, "=")
		t.Setenv(name, value)
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
}

// solve saves the reference of lab 1 in a copy of the workbook, as an editor does.
func solve(t *testing.T, book string) {
	text, err := os.ReadFile(filepath.Join(book, "solutions/01-goroutines/gather.go"))
	require.NoError(t, err)
	name := filepath.Join(book, "labs/01-goroutines/gather.go")
	require.NoError(t, os.WriteFile(name+".tmp", text, 0o600))
	require.NoError(t, os.Rename(name+".tmp", name))
}

func TestWatchInATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs labs")
	}
	book, temp := filepath.Join(t.TempDir(), "book"), t.TempDir()
	require.NoError(t, clone(book))
	ownCache(t)
	p := inTerminal(t, book, []string{"TMPDIR=" + temp, "NO_COLOR=1"}, built(t)+" watch 1"+restored)
	screen := p.shows("Lab 01  Goroutines", "0/100 points, graded at", "── keeps-order · not implemented ──", "Gather is not written yet", "h hint  n next", "↑↓ 1-20 of")
	for _, line := range strings.Split(screen, "\n") {
		assert.LessOrEqual(t, len([]rune(line)), 80)
	}

	pages(p)
	p.resize(200, 60)
	p.shows("Gather is not written yet", "results-are-not-raced-for") // all of it
	p.resize(70, 12)
	p.shows("Gather is not written yet", "points, graded at", "q quit", "↑↓ 1-8 of")
	p.resize(80, 24)

	solve(t, book)
	screen = p.shows("100/100 points, graded at", "Next  Press n to go on with the next lab.")
	assert.NotContains(t, screen, "not implemented")
	solve(t, book) // saved, and not changed
	p.shows("100/100 points, the same code as at", "The verdict of", "checker run 1 --again runs it anyway.")
	p.press("n")
	p.shows("Lab 02  Channels", "points, graded at", "Pool is not written yet")
	p.press("a") // only lab 1 has been begun
	p.shows("all graded at", "01  Goroutines                 100/100  done", "02  Channels                     0/103  not started")

	p.press("q")
	screen = p.shows("ended with 0", " echo ") // and its mode is what it was
	assert.NotContains(t, screen, "Channels", "the terminal has its own screen again")
	nothingLeft(t, temp)
}

// pages looks at all that keys show of a lab that is not written yet.
func pages(p *pane) {
	p.press("h")
	p.shows("hint 1 of 2", "h gives one more", "esc back")
	p.press("h")
	p.shows("hint 2 of 2", "There is no further hint")
	p.press("r")
	p.shows("panic: controllerbook: Gather is not implemented yet")
	p.press("o")
	p.shows("The report of lab 1 is written: open")
	p.press("l")
	p.shows("01  Goroutines", "20  The ReplicaSet controller", "not started")
	p.press("n")
	p.shows("case    keeps-order (Gather)", "then save it.")
	p.press("Escape")
	p.shows("Gather is not written yet")
	p.press("End")
	p.shows("results-are-not-raced-for")
}

func TestCtrlCEndsAWatch(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a lab")
	}
	book, temp := filepath.Join(t.TempDir(), "book"), t.TempDir()
	require.NoError(t, clone(book))
	ownCache(t)
	p := inTerminal(t, book, []string{"TMPDIR=" + temp, "GOFLAGS=-p=1"}, built(t)+" watch --ascii 1"+restored)
	p.shows("building ...") // it is under way
	p.press("C-c")
	p.shows("ended with 0", " echo ")
	nothingLeft(t, temp)
}

// output is what a process has written so far.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

func TestWatchWithoutATerminal(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a lab")
	}
	book := filepath.Join(t.TempDir(), "book")
	require.NoError(t, clone(book))
	ownCache(t)
	var out output
	cmd := exec.Command(built(t), "watch", "1")
	cmd.Dir, cmd.Stdout, cmd.Stderr = book, &out, &out
	require.NoError(t, cmd.Start())
	prints := func(texts ...string) {
		require.Eventually(t, func() bool {
			for _, text := range texts {
				if !strings.Contains(out.String(), text) {
					return false
				}
			}
			return true
		}, 3*time.Minute, 50*time.Millisecond)
	}
	prints("0/100 points", "make lab-1 grades again", "Watching labs/01-goroutines: save a file")
	solve(t, book)
	prints("── again ──", "100/100 points", "make lab-2")
	assert.NotContains(t, out.String(), "The verdict of")
	solve(t, book) // saved, and not changed
	prints("The verdict of", "checker run 1 --again runs it anyway.")
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.NoError(t, cmd.Wait(), "it is meant to end so")
	assert.NotContains(t, out.String(), "\x1b")
}
