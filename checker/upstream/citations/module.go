package citations

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// A module is one that the book cites.
type module struct {
	name string // as the book calls it
	path string // its import path; "" is the standard library

	// Of modules that this nested module does not require, what is cited is pinned here.
	// Kubernetes cannot be required (its go.mod replaces every k8s.io module by a directory of
	// its own), and requiring the others would put them into the build of the suites.
	version, sum string
}

var modules = []module{
	{name: "api", path: "k8s.io/api"},
	{name: "apimachinery", path: "k8s.io/apimachinery"},
	{name: "client-go", path: "k8s.io/client-go"},
	{name: "utils", path: "k8s.io/utils"},
	{name: "controller-runtime", path: "sigs.k8s.io/controller-runtime"},
	{name: "x/sync", path: "golang.org/x/sync"},
	{name: "x/time", path: "golang.org/x/time"},
	{name: "apiserver", path: "k8s.io/apiserver", version: "v0.37.2", sum: "h1:9Jq73PeHAA0RThpW7ou6lBcO2+SxLcPrAgleONSMUNQ="},
	{name: "kubernetes", path: "k8s.io/kubernetes", version: "v1.37.0", sum: "h1:TDSD+Izz9inqs7SmtJCAu7L5/DuYW9hAZ3GBdF6Ddkw="},
	{name: "istio", path: "istio.io/istio", version: "v0.0.0-20260827124520-eed52ebb66ad", sum: "h1:ui9TJjRMAV/hb5ehQaZDq7IUGxuQP6dra9lapT/VjHI="},
	{name: "Go"},
}

func known(name string) bool {
	_, ok := named(name)
	return ok
}

func named(name string) (module, bool) {
	for _, m := range modules {
		if m.name == name {
			return m, true
		}
	}
	return module{}, false
}

var (
	mu   sync.Mutex // guards dirs
	dirs = map[string]string{}
)

// dir returns where the module's source is. It fetches what the module cache does not
// have: 12 MB for Istio, 25 MB for Kubernetes.
func (m module) dir() (string, error) {
	mu.Lock()
	defer mu.Unlock()
	if d, ok := dirs[m.name]; ok {
		return d, nil
	}
	d, err := m.fetch()
	if err != nil {
		return "", fmt.Errorf("fetch %s: %w", m.name, err)
	}
	dirs[m.name] = d
	return d, nil
}

func (m module) fetch() (string, error) {
	if m.path == "" {
		out, err := command("go", "env", "GOROOT")
		return filepath.Join(strings.TrimSpace(string(out)), "src"), err
	}
	query := m.path
	if m.version != "" {
		query += "@" + m.version
	}
	out, err := command("go", "mod", "download", "-json", query)
	if err != nil {
		return "", err
	}
	var got struct{ Dir, Sum string }
	if err := json.Unmarshal(out, &got); err != nil {
		return "", err
	}
	if m.sum != "" && got.Sum != m.sum {
		return "", fmt.Errorf("%s has the sum %s, pinned is %s", query, got.Sum, m.sum)
	}
	return got.Dir, nil
}

func command(name string, args ...string) ([]byte, error) {
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, errors.Join(err, errors.New(stderr.String()+string(out)))
	}
	return out, nil
}
