package book

import (
	"bytes"
	"context"
	"go/parser"
	"go/token"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var address = regexp.MustCompile(`127\.0\.0\.1:\d+`)

// TestProgramsRun compiles every listing that is a program, with the reference in the place
// of the reader's labs, and runs the page's curl commands against it.
func TestProgramsRun(t *testing.T) {
	programs := 0
	for _, p := range pages(t) {
		for _, l := range p.listings() {
			if l.lang != "go" || !strings.HasPrefix(l.text, "package main\n") {
				continue
			}
			programs++
			t.Run(p.name, func(t *testing.T) { runProgram(t, p, l.text) })
		}
	}
	require.NotZero(t, programs)
}

func runProgram(t *testing.T, p page, source string) {
	at := freeAddress(t)
	source = strings.ReplaceAll(source, "controllerbook/labs/kit", "controllerbook/LABS/kit")
	source = strings.ReplaceAll(source, "controllerbook/labs/", "controllerbook/solutions/")
	source = strings.ReplaceAll(source, "controllerbook/LABS/kit", "controllerbook/labs/kit")
	dir := t.TempDir()
	main, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
	require.NoError(t, os.WriteFile(main, []byte(address.ReplaceAllString(source, at)), 0o644))
	build := exec.Command("go", "build", "-o", program, main)
	build.Dir = root
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)

	curls := curlCommands(p)
	if _, err := exec.LookPath("curl"); err != nil || len(curls) == 0 {
		return
	}
	ctx, stop := context.WithCancel(t.Context())
	run := exec.CommandContext(ctx, program)
	require.NoError(t, run.Start())
	defer func() {
		stop()
		_ = run.Wait() // killed
	}()
	waitFor(t, at)
	for _, words := range curls {
		answer(t, words, at)
	}
}

// curlCommands are the curl commands of a page, apart from those with something to fill in.
func curlCommands(p page) (all [][]string) {
	commands, _ := p.commands()
	for _, command := range commands {
		for _, words := range split(command) {
			if words[0] == "curl" && address.MatchString(command) && !regexp.MustCompile(`=[A-Z]+\b`).MatchString(command) {
				all = append(all, words[1:])
			}
		}
	}
	return all
}

// answer runs one curl until it brings something: a stream has no end.
func answer(t *testing.T, words []string, at string) {
	args := []string{"--silent", "--show-error", "--fail", "--max-time", "30"}
	for _, w := range words {
		args = append(args, address.ReplaceAllString(strings.Trim(w, `'"`), at))
	}
	curl := exec.Command("curl", args...)
	var problem bytes.Buffer
	curl.Stderr = &problem
	out, err := curl.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, curl.Start())
	_, err = io.ReadFull(out, make([]byte, 1))
	assert.NoError(t, err, "curl %s brings nothing", strings.Join(words, " "))
	_ = curl.Process.Kill()
	_ = curl.Wait() // killed, or ended by itself
	assert.Empty(t, problem.String(), "curl %s", strings.Join(words, " "))
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

// waitFor waits until the program listens.
func waitFor(t *testing.T, at string) {
	for range 100 {
		if conn, err := net.Dial("tcp", at); err == nil {
			_ = conn.Close()
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("the program does not listen on %s", at)
}

// TestFragmentsParse: a listing in Go that is no program is a file, a declaration, statements or
// signatures. Fragments with an ellipsis are left out.
func TestFragmentsParse(t *testing.T) {
	parsed, left := 0, 0
	for _, p := range pages(t) {
		for _, l := range p.listings() {
			switch {
			case l.lang != "go" || strings.HasPrefix(l.text, "package "):
			case strings.Contains(l.text, "…") || strings.Contains(l.text, "(...)"):
				left++
			default:
				parsed++
				assert.True(t, parses(l.text), "%s: this is no Go:\n%s", p.name, l.text)
			}
		}
	}
	t.Logf("%d fragments, and %d with an ellipsis", parsed, left)
}

func parses(text string) bool {
	for _, file := range []string{text, "package p\n" + text, "package p\nfunc _() {\n" + text + "\n}", "package p\ntype _ interface {\n" + text + "\n}"} {
		if _, err := parser.ParseFile(token.NewFileSet(), "", file, 0); err == nil {
			return true
		}
	}
	return false
}
