// Package exportdata knows the types of packages as the compiler has written them down.
package exportdata

import (
	"bytes"
	"context"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Importer returns what imports any of pkgs and the packages that they import. It has the
// go command compile them, in the module at root, and blocks for that. One goroutine at a
// time may use it.
func Importer(ctx context.Context, root string, pkgs ...string) (types.Importer, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}, pkgs...)...)
	var said bytes.Buffer
	cmd.Dir, cmd.Stderr = root, &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w: %s", strings.Join(pkgs, " "), err, said.Bytes())
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[name] = file
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	return importer.ForCompiler(token.NewFileSet(), "gc", open), nil
}
