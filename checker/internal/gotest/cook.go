package gotest

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/overlay"
)

// cook turns the recorded calls into a recipe.
type cook struct {
	*recipe
	plan overlay.Plan
	work string   // the go command's directory
	own  []string // import paths of the subject
}

var errRecord = errors.New("the record of the go command's calls makes no sense")

// read reads what recorderScript wrote: for each call the number of its arguments,
// the arguments, and some variables, all ended by zeros.
func (c *cook) read(text []byte) error {
	fields := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	for len(fields) > 0 {
		n, err := strconv.Atoi(fields[0])
		if err != nil || n < 1 || len(fields) < 1+n+recordedEnv {
			return errRecord
		}
		tool, args, env := fields[1], fields[2:1+n], fields[1+n:1+n+recordedEnv]
		fields = fields[1+n+recordedEnv:]
		switch filepath.Base(tool) {
		case "compile", "link":
			one, err := c.call(tool, args)
			if err != nil {
				return err
			}
			one.env = slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasSuffix(v, "=") })
			c.calls = append(c.calls, one)
		}
	}
	if len(c.calls) < 3 || c.calls[len(c.calls)-1].pkg != "" {
		return fmt.Errorf("%w: it does not end with a call of the linker", errRecord)
	}
	return nil
}

// call reads one call. Flags with a path are rewritten; sources come last.
func (c *cook) call(tool string, args []string) (call, error) {
	one := call{tool: tool, names: map[string]string{}}
	trim := ""
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; arg {
		case "-o":
			i++
			one.args = append(one.args, arg, c.out(args[i]))
		case "-importcfg":
			i++
			config, err := c.importcfg(args[i])
			if err != nil {
				return one, err
			}
			one.config = config
			one.args = append(one.args, arg, markConfig)
		case "-trimpath":
			i++
			trim = args[i]
		case "-p":
			i++
			one.pkg = args[i]
			one.args = append(one.args, arg, args[i])
		default:
			if !strings.HasSuffix(arg, ".go") {
				one.args = append(one.args, c.out(arg))
				continue
			}
			if err := c.source(&one, arg, trim); err != nil {
				return one, err
			}
		}
	}
	one.own = slices.Contains(c.own, one.pkg)
	if one.pkg == "" {
		return one, c.libgcc(&one)
	}
	return one, nil
}

// libgcc gives the linker the library that the race detector's runtime needs a few
// functions of. The linker would ask the C compiler for it each time; here it is asked once.
func (c *cook) libgcc(one *call) error {
	cc := "gcc"
	for _, arg := range one.args {
		if name, ok := strings.CutPrefix(arg, "-extld="); ok {
			cc = name
		}
	}
	out, err := exec.Command(cc, "-print-libgcc-file-name").Output()
	if err != nil {
		return fmt.Errorf("ask %s for its library: %w", cc, err)
	}
	library := strings.TrimSpace(string(out))
	kept := filepath.Join(c.pkg, filepath.Base(library))
	// -s: nobody reads the symbol table. Stacks and race reports have a table of their own.
	one.args = append([]string{"-s", "-libgcc=" + kept}, one.args...)
	return keep(library, kept)
}

// out puts a mark in the place of the go command's directory.
func (c *cook) out(arg string) string {
	if rest, ok := strings.CutPrefix(arg, c.work+string(filepath.Separator)); ok {
		return filepath.Join(markOut, strings.ReplaceAll(rest, string(filepath.Separator), "-"))
	}
	return arg
}

// source notes a file to compile. Those that the overlay gives are another for each
// build; the suite's are kept.
func (c *cook) source(one *call, file, trim string) error {
	if rel, ok := c.plan.Virtual[file]; ok {
		if filepath.Base(rel) != extra {
			one.sources = append(one.sources, rel)
			one.names[rel] = rewrite(file, trim)
		}
		return nil
	}
	kept := filepath.Join(c.src, strconv.Itoa(len(c.calls)), filepath.Base(file))
	one.sources = append(one.sources, kept)
	one.names[kept] = rewrite(file, trim)
	return keep(file, kept)
}

// rewrite is the name that -trimpath=trim gives a file: the first prefix that fits decides.
func rewrite(file, trim string) string {
	for rule := range strings.SplitSeq(trim, ";") {
		from, to, _ := strings.Cut(rule, "=>")
		if file == from {
			return to
		}
		if rest, ok := strings.CutPrefix(file, strings.TrimSuffix(from, "/")+"/"); ok {
			return strings.TrimPrefix(to+"/"+rest, "/")
		}
	}
	return file
}

// importcfg reads an import configuration. What is compiled already is kept where
// the build cache can't drop it; what is not will be in each build's own directory.
func (c *cook) importcfg(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		head, archive, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if !ok || !strings.HasPrefix(head, "packagefile ") {
			b.WriteString(line)
			continue
		}
		if placed := c.out(archive); placed != archive {
			fmt.Fprintf(&b, "%s=%s\n", head, placed)
			continue
		}
		kept := filepath.Join(c.pkg, filepath.Base(archive))
		if err := keep(archive, kept); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s=%s\n", head, kept)
	}
	return b.String(), nil
}

// keep gives a file a second name that nobody else will take away, or copies it.
func keep(file, kept string) error {
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return err
	}
	err := os.Link(file, kept)
	if err == nil || errors.Is(err, os.ErrExist) {
		return nil
	}
	from, err := os.Open(file)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.Create(kept)
	if err != nil {
		return err
	}
	if _, err := io.Copy(to, from); err != nil {
		to.Close()
		return err
	}
	return to.Close()
}
