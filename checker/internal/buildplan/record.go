package buildplan

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Recording says what to record.
type Recording struct {
	Dir      string   // a directory of the plan's own, which lasts as long as the plan
	Archives string   // a directory for compiled packages, which plans may share
	Tested   []string // import paths of the packages under test
	Ignore   string   // base name of a source that only the recorded build has

	// Build calls the go command for the reference with further flags. It must change
	// the packages under test from call to call, so that nothing which depends on them
	// is in the build cache. It returns the go command's output, and the sources that
	// differ from build to build: file → path in the repository.
	Build func(ctx context.Context, flags ...string) (output string, files map[string]string, err error)
}

// Record builds the reference twice: once to have everything compiled that does not
// depend on the packages under test, and again to see what does. It blocks for both builds.
func Record(ctx context.Context, r Recording) (*Plan, error) {
	plan := &Plan{sources: filepath.Join(r.Dir, "sources"), archives: r.Archives}
	for _, dir := range []string{plan.sources, plan.archives} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
	}
	log := filepath.Join(r.Dir, "calls")
	script := filepath.Join(r.Dir, "recorder")
	if err := os.WriteFile(script, fmt.Appendf(nil, recorder, log), 0o700); err != nil {
		return nil, err
	}
	if _, _, err := r.Build(ctx); err != nil {
		return nil, err
	}
	output, files, err := r.Build(ctx, "-p=1", "-work", "-toolexec="+strconv.Quote(script))
	if err != nil {
		return nil, err
	}
	_, work, _ := strings.Cut(output, "WORK=")
	work, _, _ = strings.Cut(work, "\n")
	work = strings.TrimSpace(work)
	calls, err := os.ReadFile(log)
	if err != nil {
		return nil, err
	}
	p := &parser{Plan: plan, Recording: r, files: files, work: work}
	if err := p.parse(calls); err != nil {
		return nil, err
	}
	return plan, os.RemoveAll(work)
}

// recorder is a script that stands before each tool that the go command calls. It writes
// down the number of the tool's arguments, the arguments, and some variables, each ended
// by a zero byte. The go command calls one tool after the other: -p=1.
const recorder = `#!/bin/sh
case "$2" in
-V=*) ;;
*) printf '%%s\0' "$#" "$@" "GOEXPERIMENT=$GOEXPERIMENT" "GOOS=$GOOS" "GOARCH=$GOARCH" "GOAMD64=$GOAMD64" "GOARM64=$GOARM64" "GOROOT=$GOROOT" >>'%s' ;;
esac
exec "$@"
`

// variables is the number of variables that recorder writes after the arguments.
const variables = 6
