package real

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// Module is the nested module that has what is built from Kubernetes' own code.
const Module = "checker/apiserver"

// Tools are the programs of a run. The server's may be missing, where a cluster is given.
type Tools struct {
	etcd, apiserver []string // how each begins: a program, and its first arguments
	witness         string
}

// OnPath are etcd and kube-apiserver of PATH, if both are there.
func OnPath() (etcd, apiserver string, ok bool) {
	etcd, err1 := exec.LookPath("etcd")
	apiserver, err2 := exec.LookPath("kube-apiserver")
	return etcd, apiserver, err1 == nil && err2 == nil
}

// Builder builds the programs of the nested module, each once for its sources.
type Builder struct {
	Root string            // the workbook
	Say  func(what string) // called before a build, which takes minutes; may be nil
}

// Cached is where a program is once it has been built, and whether it is there.
func (b Builder) Cached(program string) (file string, there bool, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = filepath.Join(b.Root, "bin")
	}
	sum, err := b.sum(program)
	if err != nil {
		return "", false, err
	}
	file = filepath.Join(cache, "controllerbook", "real-"+sum, program)
	_, err = os.Stat(file)
	return file, err == nil, nil
}

// sum names what a build depends on: the versions of everything, the sources, the machine.
func (b Builder) sum(program string) (string, error) {
	h := sha256.New()
	fmt.Fprintln(h, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	dir := filepath.Join(b.Root, filepath.FromSlash(Module))
	for _, name := range []string{"go.mod", "go.sum", program} {
		err := filepath.WalkDir(filepath.Join(dir, name), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			fmt.Fprintf(h, "%s %d\n%s", e.Name(), len(text), text)
			return err
		})
		if err != nil {
			return "", fmt.Errorf("read the sources of the %s: %w", program, err)
		}
	}
	return hex.EncodeToString(h.Sum(nil))[:16], nil
}

// Build returns the file of a program, and builds it first where it is not there. It
// blocks for as long as the compiler takes: for the server minutes, the first time.
func (b Builder) Build(ctx context.Context, program string) (string, error) {
	file, there, err := b.Cached(program)
	if err != nil || there {
		return file, err
	}
	if b.Say != nil {
		b.Say(program)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return "", err
	}
	temp, err := os.MkdirTemp(filepath.Dir(file), "build-") // others may build the same: the last rename wins
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(temp)
	built := filepath.Join(temp, program)
	version, err := b.kubernetes()
	if err != nil {
		return "", err
	}
	flags := fmt.Sprintf("-ldflags=-s -w -X %[1]s.gitVersion=v%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s",
		"k8s.io/component-base/version", version, strings.Split(version, ".")[0], strings.Split(version, ".")[1])
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", flags, "-buildvcs=false", "-o", built, "./"+program)
	cmd.Dir = filepath.Join(b.Root, filepath.FromSlash(Module))
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOTMPDIR="+temp)
	text, err := cmd.CombinedOutput()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", &Problem{
			Message: fmt.Sprintf("the %s cannot be built from %s: %s", program, Module, lastLine(string(text), err)),
			Help:    "It needs Go 1.26, and the first time a connection to the Go module proxy: go mod download in " + Module + ". `nix develop` brings etcd and kube-apiserver, and then no server is built.",
		}
	}
	return file, os.Rename(built, file)
}

// lastLine is the last line of what a program has said, or else its error.
func lastLine(text string, err error) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if last := lines[len(lines)-1]; last != "" {
		return last
	}
	return err.Error()
}

var kubernetes = regexp.MustCompile(`k8s\.io/kubernetes v(\d+\.\d+\.\d+)\n`)

// kubernetes is the version of Kubernetes that the module pins: a server that is built from
// modules does not know it by itself.
func (b Builder) kubernetes() (string, error) {
	text, err := os.ReadFile(filepath.Join(b.Root, filepath.FromSlash(Module), "go.mod"))
	if err != nil {
		return "", err
	}
	m := kubernetes.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s/go.mod does not require k8s.io/kubernetes", Module)
	}
	return string(m[1]), nil
}

// Tools finds or builds what a run needs: the witness, and the server unless a cluster is
// given. What PATH has is taken before anything is built.
func (b Builder) Tools(ctx context.Context, server bool) (Tools, error) {
	var t Tools
	if etcd, apiserver, ok := OnPath(); ok && server {
		t.etcd, t.apiserver = []string{etcd}, []string{apiserver}
	} else if server {
		file, err := b.Build(ctx, "server")
		if err != nil {
			return t, err
		}
		t.etcd, t.apiserver = []string{file, "etcd"}, []string{file, "kube-apiserver"}
	}
	var err error
	t.witness, err = b.Build(ctx, "witness")
	return t, err
}
