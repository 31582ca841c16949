package sandbox

import (
	"debug/elf"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A binary under the race detector is linked to the C library. libraries returns the files
// that its loader opens. The process sees no other file of the system.
func libraries(path string, file io.ReaderAt) ([]string, error) {
	f, err := elf.NewFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s is not a program of this system: %w", path, err)
	}
	loader, err := interpreter(f)
	if err != nil || loader == "" {
		return nil, err
	}
	needed, err := f.DynString(elf.DT_NEEDED)
	if err != nil {
		return nil, err
	}
	runpath, _ := f.DynString(elf.DT_RUNPATH) // none is the usual
	key := fmt.Sprint(loader, needed, runpath)
	if known, ok := found.Load(key); ok {
		return known.([]string), nil
	}
	list, err := ask(loader, path)
	if err == nil {
		found.Store(key, list)
	}
	return list, err
}

// found remembers what ask said: all binaries of one linker need the same.
var found sync.Map // string → []string

// interpreter is the path of the program's dynamic loader, "" where it has none.
func interpreter(f *elf.File) (string, error) {
	for _, p := range f.Progs {
		if p.Type != elf.PT_INTERP {
			continue
		}
		name, err := io.ReadAll(p.Open())
		if err != nil {
			return "", err
		}
		return strings.TrimRight(string(name), "\x00"), nil
	}
	return "", nil
}

// ask runs the loader, which prints where it finds each library by its own rules. It runs
// no code of the program.
func ask(loader, program string) ([]string, error) {
	program, err := filepath.Abs(program)
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(loader, "--list", program)
	cmd.Env = []string{}
	out, err := cmd.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, exit.Stderr)
		}
		return nil, fmt.Errorf("ask %s what %s needs: %w", loader, program, err)
	}
	list := []string{loader}
	for line := range strings.Lines(string(out)) {
		// "libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x…)"
		if _, rest, ok := strings.Cut(line, " => "); ok && strings.HasPrefix(rest, "/") {
			list = append(list, strings.Fields(rest)[0])
		}
	}
	const cache = "/etc/ld.so.cache"
	if _, err := os.Stat(cache); err == nil {
		list = append(list, cache)
	}
	return list, nil
}
