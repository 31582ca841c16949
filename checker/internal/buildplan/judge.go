package buildplan

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/printable"
	"github.com/controllerbook/controllerbook/checker/internal/sandbox"
)

// SourceError says that the sources do not build. Text is the compiler's or the
// linker's, with paths of the repository.
type SourceError struct{ Text string }

func (e *SourceError) Error() string { return e.Text }

// ToolError says that a tool failed for a reason that is not the sources'.
type ToolError struct {
	Text string // what the tool wrote
	Err  error
}

func (e *ToolError) Error() string { return e.Err.Error() + ": " + e.Text }

func (e *ToolError) Unwrap() error { return e.Err }

// judge says whose fault a tool's failure is. A plan compiles only the subject and the
// packages that use it, so a compiler's complaint is about the subject. So is a limit that
// was exceeded, because the reference was built within a fraction of it.
func (e *execution) judge(s step, r sandbox.Result) error {
	raw := string(r.Stdout) + string(r.Stderr)
	if e.place != alone {
		raw = string(Unshared([]byte(raw), e.place))
	}
	text := e.repositoryPaths(s, raw)
	tool := "compiler"
	if s.linker() {
		tool = "linker"
	}
	if limit := Exhausted(r, text); limit != "" {
		return &SourceError{Text: string(limit)}
	}
	switch {
	case r.Flooded:
	case r.Signal != "" || strings.Contains(text, "internal compiler error") && strings.Contains(text, "no space left"):
		return &ToolError{Text: printable.Clip(text, maxText), Err: fmt.Errorf("the %s was ended by a signal: %s", tool, r.Signal)}
	case s.linker() && !strings.Contains(raw, catalog.Module):
		return &ToolError{Text: printable.Clip(text, maxText), Err: fmt.Errorf("the %s ended with %d", tool, r.Exit)}
	}
	return sourceError(printable.Clip(text, maxText))
}

// sourceError begins with a line such as the go command writes before a compiler's words.
func sourceError(text string) error {
	return &SourceError{Text: "# " + catalog.Module + "\n" + text}
}

// maxText is how much of a tool's output is kept, in bytes: a compiler can be made to
// repeat an identifier of a hundred kilobytes.
const maxText = 16 << 10

// repositoryPaths gives files in a tool's output the names that they have in the repository.
func (e *execution) repositoryPaths(s step, text string) string {
	for name, file := range e.Files {
		text = strings.ReplaceAll(text, file, name)
	}
	for file, name := range s.names {
		if filepath.IsAbs(file) {
			text = strings.ReplaceAll(text, file, strings.TrimPrefix(name, catalog.Module+"/"))
		}
	}
	return strings.ReplaceAll(text, catalog.Module+"/", "")
}
