package gotest

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/overlay"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// toolLimits are those of the compiler and the linker. The largest suite takes them a
// third of the memory and a twentieth of the time; a submission with a bomb of
// constants or of generic types in it takes all there is.
var toolLimits = sandbox.Limits{
	Wall: 3 * time.Minute, Output: 1 << 20,
	CPU: time.Minute, Memory: 2 << 30, File: 256 << 20, Tasks: 256,
}

// direct reports whether builds go by a recipe. Where nothing can be confined the go
// command does it all.
func (k *Kit) direct() bool { return k.Isolation.On() && runtime.GOOS == "linux" }

// buildDirect builds a subject's suite by its lab's recipe, each tool confined.
func (k *Kit) buildDirect(ctx context.Context, s subject.Subject) (*Binary, error) {
	r, err := k.recipe(ctx, s)
	if err != nil {
		return nil, err
	}
	set, err := s.Overlay(k.Root)
	if err != nil {
		return nil, err
	}
	for _, own := range s.Packages() {
		for name, source := range own.Files { // those of a tree on disk are not in its overlay
			set[path.Join(own.Path, name)] = source
		}
	}
	file, err := k.follow(ctx, r, set)
	if err != nil {
		return nil, err
	}
	return k.binary(file, s), nil
}

// follow follows a recipe with the files of an overlay, in a new directory, and
// returns the path of the binary.
func (k *Kit) follow(ctx context.Context, r *recipe, set overlay.Set) (file string, err error) {
	dir, err := os.MkdirTemp(k.Temp, "build-")
	if err != nil {
		return "", fmt.Errorf("make a directory for the build: %w", err)
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	plan, err := set.Plan(k.Root, dir)
	if err != nil {
		return "", err
	}
	if _, err := write(plan, dir); err != nil {
		return "", fmt.Errorf("write the sources: %w", err)
	}
	b := &build{recipe: r, dir: dir, out: filepath.Join(dir, "out"), files: map[string]string{}, plan: plan, kit: k}
	for backing, rel := range plan.Virtual {
		b.files[rel] = backing
	}
	if err := os.Mkdir(b.out, 0o700); err != nil {
		return "", err
	}
	for i, c := range r.calls {
		if err := b.run(ctx, i, c); err != nil {
			return "", err
		}
	}
	return b.binary(), os.RemoveAll(b.out)
}

// build is one build by a recipe.
type build struct {
	*recipe
	dir, out string
	files    map[string]string // path in the repository → file of this build
	plan     overlay.Plan
	kit      *Kit
}

// binary is where the linker writes.
func (b *build) binary() string { return filepath.Join(b.dir, "suite.test") }

// run calls a tool and judges how it ended.
func (b *build) run(ctx context.Context, n int, c call) error {
	config := filepath.Join(b.dir, fmt.Sprintf("importcfg-%d", n))
	if err := os.WriteFile(config, []byte(strings.ReplaceAll(c.config, markOut, b.out)), 0o600); err != nil {
		return err
	}
	read := []string{b.pkg}
	if !c.own {
		read = append(read, filepath.Dir(b.src))
	}
	r, err := sandbox.Run(ctx, sandbox.Command{
		Path: c.tool, Args: b.args(c, config), Dir: b.dir,
		Env:    append([]string{"TMPDIR=" + b.out, "HOME=" + b.out, "LANG=C.UTF-8", "GOGC=400"}, c.env...), // half a second's life needs little collection
		Limits: toolLimits, Isolation: b.kit.Isolation, Read: read, Write: []string{b.dir}, Own: true,
	})
	if err != nil {
		return fmt.Errorf("run %s: %w", filepath.Base(c.tool), err)
	}
	if r.Exit == 0 && r.Signal == "" && !r.Flooded {
		return nil
	}
	return b.judge(c, r)
}

// args are a call's arguments with this build's paths in them.
func (b *build) args(c call, config string) []string {
	var args, trim []string
	for i, a := range c.args {
		a = strings.ReplaceAll(strings.ReplaceAll(a, markOut, b.out), markConfig, config)
		if c.pkg == "" && i > 0 && c.args[i-1] == "-o" {
			a = b.binary()
		}
		args = append(args, a)
	}
	var sources []string
	for _, name := range c.sources {
		file := name
		if !filepath.IsAbs(name) {
			var ok bool
			if file, ok = b.files[name]; !ok {
				continue // it was not handed in: the compiler will say what is missing
			}
		}
		sources = append(sources, file)
		trim = append(trim, file+"=>"+c.names[name])
	}
	if c.pkg == "" {
		return args
	}
	return append(append([]string{"-trimpath", strings.Join(append(trim, b.out+"=>"), ";")}, args...), sources...)
}

// judge says whose fault a tool's failure is. What is compiled is the subject and
// what uses it, so a compiler's complaint is about the subject; a limit that is passed
// is, too: the reference was built within a fraction of it.
func (b *build) judge(c call, r sandbox.Result) error {
	raw := string(r.Stdout) + string(r.Stderr)
	text := b.virtual(c, raw)
	tool := "compiler"
	if c.pkg == "" {
		tool = "linker"
	}
	head := "# " + catalog.Module + "\n"
	switch {
	case r.TimedOut || r.CPUSpent:
		return &CompileError{Text: head + "The " + tool + " did not get done with this code: it was stopped after " + toolLimits.CPU.String() + "."}
	case strings.Contains(text, "out of memory") || strings.Contains(text, "cannot allocate memory"):
		return &CompileError{Text: head + "The " + tool + " needs more memory for this code than it is given."}
	case r.Flooded:
		return &CompileError{Text: head + clipText(text)}
	case r.Signal != "" || strings.Contains(text, "internal compiler error") && strings.Contains(text, "no space left"):
		return &ToolError{Text: clipText(text), Err: fmt.Errorf("the %s was ended by a signal: %s", tool, r.Signal)}
	case c.pkg == "" && !strings.Contains(raw, catalog.Module):
		return &ToolError{Text: clipText(text), Err: fmt.Errorf("the %s ended with %d", tool, r.Exit)}
	}
	return &CompileError{Text: head + clipText(text)}
}

// maxTool is how much of a tool's words is kept: a compiler can be made to repeat
// an identifier of a hundred kilobytes.
const maxTool = 16 << 10

func clipText(s string) string {
	if len(s) <= maxTool {
		return s
	}
	return strings.ToValidUTF8(s[:maxTool], "") + "… (cut)"
}

// virtual gives files the names that a learner knows.
func (b *build) virtual(c call, text string) string {
	text = b.kit.virtual(text, b.plan)
	for kept, name := range c.names {
		if filepath.IsAbs(kept) {
			text = strings.ReplaceAll(text, kept, strings.TrimPrefix(name, catalog.Module+"/"))
		}
	}
	return strings.ReplaceAll(text, catalog.Module+"/", "")
}
