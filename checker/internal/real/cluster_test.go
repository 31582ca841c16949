package real

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestWhichClustersPeopleDependOn(t *testing.T) {
	far := "https://10.1.2.3:6443"
	for _, c := range []struct {
		about about
		why   string // a part of it
	}{
		{about{Context: "kind-kind", Server: "https://127.0.0.1:41003", Nodes: 3, Namespaces: []string{"default", "shop"}}, ""},
		{about{Context: "minikube", Server: "https://192.168.49.2:8443", Nodes: 1}, ""},
		{about{Context: "k3d-lab", Server: "https://0.0.0.0:6550", Nodes: 2}, ""},
		{about{Context: "admin@lab", Server: far, Nodes: 1, Namespaces: []string{"default", "kube-system", "kube-public"}}, ""},
		{about{Context: "kind-prod", Server: "https://127.0.0.1:41003"}, `"kind-prod"`},
		{about{Context: "a", Cluster: "eu-production-1", Server: far}, `"eu-production-1"`},
		{about{Context: "a", Server: "https://api.live.example.com"}, "api.live"},
		{about{Context: "reproduce", Server: "https://localhost:6443"}, ""},
		{about{Context: "a", Server: far, Nodes: 5}, "5 nodes"},
		{about{Context: "tunnel", Server: "https://127.0.0.1:6443", Nodes: 40}, "40 nodes"},
		{about{Context: "a", Server: far, Nodes: 1, Namespaces: []string{"default", "shop"}}, `"shop"`},
		{about{Context: "a", Server: far, Nodes: -1, Namespaces: []string{"default"}}, "may not see its nodes"},
	} {
		why := c.about.depended()
		if c.why == "" {
			assert.Empty(t, why, "%+v", c.about)
		} else {
			assert.Contains(t, why, c.why, "%+v", c.about)
		}
	}
}

func TestTheCasesAreAboutLabsThatExist(t *testing.T) {
	lab, err := Lab(Cases())
	assert.NoError(t, err)
	stack := append([]string{lab.Dir}, lab.Parts...)
	for _, c := range Cases() {
		for _, dir := range c.Labs {
			assert.Contains(t, stack, dir, c.Name)
		}
	}
}

func TestTheKubernetesOfTheModule(t *testing.T) {
	b := Builder{Root: "../../.."}
	version, err := b.kubernetes()
	assert.NoError(t, err)
	assert.Regexp(t, `^1\.\d+\.\d+$`, version)
	_, _, err = b.Cached("server")
	assert.NoError(t, err)
	_, _, err = b.Cached("nothing")
	assert.Error(t, err)
}

func TestABuildThatFailsIsAProblem(t *testing.T) {
	_, err := serverOf(t, "nothing()").Build(t.Context(), "server")
	var p *Problem
	require.ErrorAs(t, err, &p)
	assert.Contains(t, p.Message, "the server cannot be built")
	assert.Contains(t, p.Message, "undefined: nothing")
	assert.NotEmpty(t, p.Help)
}

func TestTwoMayBuildTheSame(t *testing.T) {
	began := make(chan bool, 2)
	b := serverOf(t, `println("here")`)
	b.Say = func(string) { // neither compiles before both have seen that nothing is there
		began <- true
		for len(began) < 2 {
			time.Sleep(time.Millisecond)
		}
	}
	files := make(chan string, 2)
	for range 2 {
		go func() {
			file, err := b.Build(t.Context(), "server")
			assert.NoError(t, err)
			files <- file
		}()
	}
	file := <-files
	assert.Equal(t, file, <-files)
	out, err := exec.Command(file).CombinedOutput()
	assert.NoError(t, err)
	assert.Equal(t, "here\n", string(out))
	left, err := os.ReadDir(filepath.Dir(file))
	assert.NoError(t, err)
	assert.Len(t, left, 1, "what is temporary is gone")
}

// serverOf is a builder of a workbook whose server is one statement, with a cache of its own.
func serverOf(t *testing.T, statement string) Builder {
	root := t.TempDir()
	dir := filepath.Join(root, filepath.FromSlash(Module))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "server"), 0o755))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("go.mod", "module x\n\ngo 1.26\n\n// k8s.io/kubernetes v1.37.2\n")
	write("go.sum", "")
	write("server/main.go", "package main\n\nfunc main() { "+statement+" }\n")
	t.Setenv("GOCACHE", goCache(t)) // before the directory of all caches is another one
	t.Setenv("XDG_CACHE_HOME", filepath.Join(root, "cache"))
	return Builder{Root: root}
}

func goCache(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	require.NoError(t, err)
	return strings.TrimSpace(string(out))
}
