package faults

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/atomicfile"
	"github.com/controllerbook/controllerbook/checker/internal/cachedir"
	"github.com/controllerbook/controllerbook/checker/internal/catalog"
)

// Held remembers which checks held. A check is known by the content of all that its answer
// follows from, so one of which any of that has changed is not known.
// docs/decisions/0009 says what it is worth that a check held before.
type Held struct {
	root   string
	dir    string
	builds map[string]string // by lab: what a verdict follows from, but for the subject
}

// OpenHeld opens what is remembered in a directory of the checks of labs. It blocks for the
// go command, which knows what their suites are made of.
func OpenHeld(ctx context.Context, dir, root string, labs []catalog.Lab) (*Held, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	builds, err := fingerprints(ctx, root, labs, "./checker/internal/faults")
	if err != nil {
		return nil, err
	}
	return &Held{root, dir, builds}, nil
}

// DefaultHeld is the directory that is the user's.
func DefaultHeld() (string, error) { return cachedir.Of("proofs") }

// file has the keys of a lab's checks that held, one a line.
func (h *Held) file(lab catalog.Lab) string { return filepath.Join(h.dir, lab.Dir+".txt") }

// of are the keys of those of a lab's checks that held.
func (h *Held) of(lab catalog.Lab) (map[string]bool, error) {
	text, err := os.ReadFile(h.file(lab))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	known := map[string]bool{}
	for _, key := range strings.Fields(string(text)) {
		known[key] = true
	}
	return known, nil
}

// write replaces the keys of a lab.
func (h *Held) write(lab catalog.Lab, held map[string]bool) error {
	return atomicfile.Write(h.file(lab), func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Join(slices.Sorted(maps.Keys(held)), "\n")+"\n")
		return err
	})
}

// keys stand for all that the answers of a lab's checks follow from, by the checks' names.
func (h *Held) keys(checks []Check) (map[string]string, error) {
	keys := map[string]string{}
	for _, c := range checks {
		key, err := h.key(c)
		if err != nil {
			return nil, err
		}
		keys[c.Name] = key
	}
	all := sha256.Sum256([]byte(strings.Join(slices.Sorted(maps.Values(keys)), " ")))
	for _, c := range checks {
		if c.source == nil { // it is about the others
			keys[c.Name] = hex.EncodeToString(all[:16])
		}
	}
	return keys, nil
}

// key is the hash of a subject's sources, of what is asked of it, of the suite and the
// checker, and of the toolchain.
func (h *Held) key(c Check) (string, error) {
	sum := sha256.New()
	meta, err := json.Marshal(c.Lab.Lab)
	if err != nil {
		return "", err
	}
	fmt.Fprintf(sum, "%s\n%s\n%s\n%s\n", h.builds[c.Lab.Dir], meta, c.Name, c.wants)
	stub := map[string][]byte{}
	for _, f := range c.Lab.Files {
		if stub[f], err = c.Lab.Stub(f); err != nil {
			return "", err
		}
	}
	fmt.Fprintln(sum, hashFiles(stub))
	if c.source != nil {
		s, err := c.source(h.root)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(sum, hashFiles(s.Files))
	}
	return hex.EncodeToString(sum.Sum(nil)[:16]), nil
}
