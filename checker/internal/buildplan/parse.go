package buildplan

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
)

// errRecord is returned for a record of something other than a build of a suite.
var errRecord = errors.New("the record of the go command's calls makes no sense")

// parser makes a plan of recorded calls.
type parser struct {
	*Plan
	Recording
	files map[string]string // of the recorded build: file → path in the repository
	work  string            // the go command's directory
}

// parse reads what recorder wrote.
func (p *parser) parse(text []byte) error {
	fields := strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00")
	for len(fields) > 0 {
		n, err := strconv.Atoi(fields[0])
		if err != nil || n < 1 || len(fields) < 1+n+variables {
			return errRecord
		}
		tool, args, env := fields[1], fields[2:1+n], fields[1+n:1+n+variables]
		fields = fields[1+n+variables:]
		switch filepath.Base(tool) {
		case "compile", "link":
			s, err := p.step(tool, args)
			if err != nil {
				return err
			}
			s.env = slices.DeleteFunc(slices.Clone(env), func(v string) bool { return strings.HasSuffix(v, "=") })
			p.steps = append(p.steps, s)
		}
	}
	if len(p.steps) < 3 || !p.steps[len(p.steps)-1].linker() {
		return fmt.Errorf("%w: it does not end with a call of the linker", errRecord)
	}
	return nil
}

// step reads one call. Flags with a path are rewritten; sources come last.
func (p *parser) step(tool string, args []string) (step, error) {
	s := step{tool: tool, names: map[string]string{}}
	trim := ""
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; arg {
		case "-o":
			i++
			s.args = append(s.args, arg, p.marked(args[i]))
		case "-importcfg":
			i++
			config, err := p.importConfig(args[i])
			if err != nil {
				return s, err
			}
			s.config = config
			s.args = append(s.args, arg, markConfig)
		case "-trimpath":
			i++
			trim = args[i]
		case "-p":
			i++
			s.pkg = args[i]
			s.args = append(s.args, arg, args[i])
		default:
			if !strings.HasSuffix(arg, ".go") {
				s.args = append(s.args, p.marked(arg))
				continue
			}
			if err := p.source(&s, arg, trim); err != nil {
				return s, err
			}
		}
	}
	s.tested = slices.Contains(p.Tested, s.pkg)
	if s.linker() {
		return s, p.libgcc(&s)
	}
	// The linker would throw debug information away. To make it takes a tenth of the compiler's time.
	s.args = append([]string{"-dwarf=false"}, s.args...)
	return s, nil
}

// libgcc gives the linker the library in which it looks for what is in no package. Where the
// race detector's runtime misses something there (package libgcc), the linker would ask the C
// compiler for it in each build; a plan asks once.
func (p *parser) libgcc(s *step) error {
	cc := "gcc"
	for _, arg := range s.args {
		if name, ok := strings.CutPrefix(arg, "-extld="); ok {
			cc = name
		}
	}
	out, err := exec.Command(cc, "-print-libgcc-file-name").Output()
	if err != nil {
		return fmt.Errorf("ask %s for its library: %w", cc, err)
	}
	library := strings.TrimSpace(string(out))
	kept := filepath.Join(p.archives, filepath.Base(library))
	// -s: nobody reads the symbol table. Stacks and race reports have a table of their own.
	s.args = append([]string{"-s", "-libgcc=" + kept}, s.args...)
	return keep(library, kept)
}

// marked puts a mark in the place of the go command's directory.
func (p *parser) marked(arg string) string {
	if rest, ok := strings.CutPrefix(arg, p.work+string(filepath.Separator)); ok {
		return filepath.Join(markOut, strings.ReplaceAll(rest, string(filepath.Separator), "-"))
	}
	return arg
}

// source notes a file to compile. One that differs from build to build is known by its
// path in the repository; others are kept.
func (p *parser) source(s *step, file, trim string) error {
	if name, own := p.files[file]; own {
		if filepath.Base(name) != p.Ignore {
			s.files = append(s.files, name)
			s.names[name] = trimmed(file, trim)
		}
		return nil
	}
	kept := filepath.Join(p.sources, strconv.Itoa(len(p.steps)), filepath.Base(file))
	s.files = append(s.files, kept)
	s.names[kept] = trimmed(file, trim)
	return keep(file, kept)
}

// trimmed is the name that -trimpath=trim gives a file: the first prefix that fits decides.
func trimmed(file, trim string) string {
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

// importConfig reads an import configuration. It keeps the packages that are compiled
// already where the build cache cannot drop them. The others will be in each build's own
// directory.
func (p *parser) importConfig(file string) (string, error) {
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
		if own := p.marked(archive); own != archive {
			fmt.Fprintf(&b, "%s=%s\n", head, own)
			continue
		}
		kept := filepath.Join(p.archives, filepath.Base(archive))
		if err := keep(archive, kept); err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s=%s\n", head, kept)
	}
	return b.String(), nil
}

// keep gives a file a second name, which nothing else removes, or copies it.
func keep(file, kept string) error {
	if err := os.MkdirAll(filepath.Dir(kept), 0o700); err != nil {
		return err
	}
	err := os.Link(file, kept)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	if _, err := os.Stat(kept); err == nil {
		return nil
	}
	return replace(file, kept)
}

// replace copies a file. Other plans, which may be built at the same time, see all of
// the copy or nothing.
func replace(file, kept string) error {
	from, err := os.Open(file)
	if err != nil {
		return err
	}
	defer from.Close()
	return atomicfile.Write(kept, func(w io.Writer) error {
		_, err := io.Copy(w, from)
		return err
	})
}
