package real

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// anyCluster is a server as somebody else's cluster. The one controller that a run with
// --kubeconfig relies on is ours: it carries out the deletion of namespaces.
type anyCluster struct {
	t       *testing.T
	server  *Server
	checker string
	root    string
}

func newAnyCluster(t *testing.T, tools Tools) *anyCluster {
	c := &anyCluster{t: t, root: "../../..", checker: filepath.Join(t.TempDir(), "checker")}
	build := exec.Command("go", "build", "-buildvcs=false", "-o", c.checker, "./checker")
	build.Dir = c.root
	out, err := build.CombinedOutput()
	require.NoError(t, err, "%s", out)
	c.server, err = StartServer(t.Context(), tools, t.TempDir())
	require.NoError(t, err)
	t.Cleanup(c.server.Stop)
	return c
}

// kubeconfig is a file that leads to a server.
func kubeconfig(t *testing.T, server, ca, token string) string {
	config := map[string]any{
		"apiVersion": "v1", "kind": "Config", "current-context": "evening",
		"clusters": []any{map[string]any{"name": "evening", "cluster": map[string]any{"server": server, "certificate-authority-data": []byte(ca)}}},
		"users":    []any{map[string]any{"name": "me", "user": map[string]any{"token": token}}},
		"contexts": []any{map[string]any{"name": "evening", "context": map[string]any{"cluster": "evening", "user": "me"}}},
	}
	text, err := json.Marshal(config)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

func (c *anyCluster) kubeconfig(token string) string {
	return kubeconfig(c.t, c.server.url, string(c.server.tls.cert), token)
}

// call asks the server as its administrator.
func (c *anyCluster) call(ctx context.Context, method, path string, body, out any) error {
	text, err := []byte(nil), error(nil)
	if body != nil {
		text, err = json.Marshal(body)
	}
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.server.url+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+c.server.users.admin)
	req.Header.Set("Content-Type", "application/json")
	if method == http.MethodPatch {
		req.Header.Set("Content-Type", "application/merge-patch+json")
	}
	client := c.server.client()
	defer client.CloseIdleConnections()
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	switch {
	case err != nil:
		return err
	case res.StatusCode >= http.StatusBadRequest:
		return fmt.Errorf("%s %s: %s: %s", method, path, res.Status, answer)
	case out == nil:
		return nil
	}
	return json.Unmarshal(answer, out)
}

// thing is what a test reads of an object.
type thing struct {
	Metadata struct {
		Name              string
		Labels            map[string]string
		Finalizers        []string
		DeletionTimestamp *time.Time
	}
}

func (c *anyCluster) list(ctx context.Context, path string) []thing {
	var list struct{ Items []thing }
	if err := c.call(ctx, http.MethodGet, path, nil, &list); err != nil {
		return nil // the group is not there, or no longer
	}
	return list.Items
}

// carryOutDeletions does what the namespace controller does, for the types that cases make. Of
// the namespaces of one run it says that something in them stays.
func (c *anyCluster) carryOutDeletions(ctx context.Context, stuck string) {
	for ctx.Err() == nil {
		for _, ns := range c.list(ctx, "/api/v1/namespaces") {
			switch {
			case ns.Metadata.DeletionTimestamp == nil:
			case ns.Metadata.Labels[runLabel] == stuck:
				c.somethingStays(ctx, ns.Metadata.Name)
			default:
				c.empty(ctx, ns.Metadata.Name)
			}
		}
		select {
		case <-ctx.Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// empty deletes what is in a namespace, and then the namespace, once nothing is left in it.
func (c *anyCluster) empty(ctx context.Context, ns string) {
	left := 0
	for _, path := range []string{"/api/v1/namespaces/" + ns + "/configmaps", "/api/v1/namespaces/" + ns + "/secrets", "/apis/book.example/v1/namespaces/" + ns + "/databases"} {
		_ = c.call(ctx, http.MethodDelete, path, nil, nil)
		left += len(c.list(ctx, path))
	}
	if left == 0 {
		_ = c.call(ctx, http.MethodPut, "/api/v1/namespaces/"+ns+"/finalize", map[string]any{"metadata": map[string]any{"name": ns}, "spec": map[string]any{}}, nil)
	}
}

// somethingStays sets the condition by which the namespace controller says that finalizers keep
// objects of a namespace.
func (c *anyCluster) somethingStays(ctx context.Context, ns string) {
	_ = c.call(ctx, http.MethodPatch, "/api/v1/namespaces/"+ns+"/status", map[string]any{"status": map[string]any{"conditions": []any{map[string]any{
		"type": "NamespaceFinalizersRemaining", "status": "True", "reason": "SomeFinalizersRemain", "message": "Some content in the namespace has finalizers remaining",
	}}}}, nil)
}

// runLabel is on what a run has made.
const runLabel = "controllerbook.dev/run"

// made is what runs have made and not removed, but for those of one run.
func (c *anyCluster) made(but string) []string {
	var all []string
	for _, path := range []string{"/api/v1/namespaces", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"} {
		for _, o := range c.list(c.t.Context(), path+"?labelSelector="+runLabel) {
			if o.Metadata.Labels[runLabel] != but {
				all = append(all, o.Metadata.Name)
			}
		}
	}
	return all
}

// a command is a checker real that runs.
type command struct {
	cmd *exec.Cmd
	out *bytes.Buffer
}

func (c *anyCluster) start(env []string, args ...string) *command {
	r := &command{cmd: exec.Command(c.checker, append([]string{"real", "--subject", "solution", "--no-color"}, args...)...), out: &bytes.Buffer{}}
	r.cmd.Dir, r.cmd.Env = c.root, append(os.Environ(), env...)
	r.cmd.Stdout, r.cmd.Stderr = r.out, r.out
	require.NoError(c.t, r.cmd.Start())
	return r
}

// ends requires an exit code, and words of what was said.
func (r *command) ends(t *testing.T, code int, words ...string) {
	t.Helper()
	_ = r.cmd.Wait()
	t.Logf("%s", r.out)
	assert.Equal(t, code, r.cmd.ProcessState.ExitCode())
	for _, w := range words {
		assert.Contains(t, strings.Join(strings.Fields(r.out.String()), " "), w)
	}
}

// soon waits until something is so.
func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 3000 {
		if is() {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("five minutes have passed, and not yet: %s", what)
}

// TestRealCluster uses a server of the checker's own as the cluster of a kubeconfig, and has
// everything happen that docs/real.md says of such a run.
func TestRealCluster(t *testing.T) {
	if !*Servers {
		t.Skip("make test-real runs it")
	}
	tools, err := Builder{Root: "../../.."}.Tools(t.Context(), true)
	require.NoError(t, err)
	t.Parallel()
	c := newAnyCluster(t, tools)
	admin := c.kubeconfig(c.server.users.admin)
	stuck, run := c.startStuck(admin)
	t.Run("no rights", func(t *testing.T) {
		c.start(nil, "--kubeconfig", c.kubeconfig(c.server.users.learner), "9").ends(t, 3, "has not the rights", "create namespaces")
	})
	t.Run("too old", func(t *testing.T) {
		old := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"major":"1","minor":"29","gitVersion":"v1.29.3"}`)
		}))
		defer old.Close()
		c.start(nil, "--kubeconfig", kubeconfig(t, old.URL, "", "x"), "9").ends(t, 3, "v1.29.3, and checker real needs 1.30")
	})
	t.Run("nobody there", func(t *testing.T) {
		gone := httptest.NewServer(nil)
		gone.Close()
		c.start(nil, "--kubeconfig", kubeconfig(t, gone.URL, "", "x"), "9").ends(t, 3, "does not answer")
	})
	t.Run("no server to be had", c.noServerToBeHad)
	t.Run("databases are there", func(t *testing.T) { c.databasesAreThere(t, admin, run) })
	t.Run("Ctrl-C", func(t *testing.T) { c.interrupted(t, admin, run) })
	stuck.ends(t, 3, "is still being deleted after a minute", "Some content in the namespace has finalizers remaining", "kubectl get namespaces")
}

func (c *anyCluster) noServerToBeHad(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"etcd", "kube-apiserver"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho no such luck >&2\nexit 1\n"), 0o755))
	}
	path := "PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")
	c.start([]string{path}, "9").ends(t, 3, "the API server did not become ready", "no such luck", "--kubeconfig FILE")
}

// databasesAreThere: somebody else's CustomResourceDefinition of that name is left alone.
func (c *anyCluster) databasesAreThere(t *testing.T, config, stuck string) {
	c.define()
	c.start(nil, "--kubeconfig", config, "23").ends(t, 3, "databases.book.example that this run has not made")
	c.start(nil, "--kubeconfig", config, "--case", "lists-real-objects").ends(t, 0, "1 of 1 cases passed")
	assert.True(t, c.databasesDefined())
	require.NoError(t, c.call(t.Context(), http.MethodDelete, definitionsPath+"/databases.book.example", nil, nil))
	soon(t, "the definition is gone", func() bool { return !c.databasesDefined() })
	assert.Empty(t, c.made(stuck))
}

// interrupted: whatever the operator has put its finalizer on goes with its namespace.
func (c *anyCluster) interrupted(t *testing.T, config, stuck string) {
	r := c.start(nil, "--kubeconfig", config, "23")
	soon(t, "the operator has put its finalizer on a Database", func() bool {
		all := c.list(t.Context(), "/apis/book.example/v1/databases")
		return len(all) > 0 && len(all[0].Metadata.Finalizers) > 0
	})
	require.NoError(t, r.cmd.Process.Signal(syscall.SIGINT))
	r.ends(t, 130, "interrupted")
	assert.Empty(t, c.made(stuck))
	assert.False(t, c.databasesDefined())
}

// startStuck starts a run whose namespace will not go. Until that namespace is known nobody
// carries out deletions: however short the run is, its namespace is there to be seen.
func (c *anyCluster) startStuck(config string) (r *command, run string) {
	r = c.start(nil, "--kubeconfig", config, "--case", "watches-real-events")
	soon(c.t, "the run has made a namespace", func() bool {
		for _, ns := range c.list(c.t.Context(), "/api/v1/namespaces?labelSelector="+runLabel) {
			run = ns.Metadata.Labels[runLabel]
		}
		return run != ""
	})
	ctx, cancel := context.WithCancel(c.t.Context())
	done := make(chan struct{})
	go func() { defer close(done); c.carryOutDeletions(ctx, run) }()
	c.t.Cleanup(func() { cancel(); <-done })
	return r, run
}

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"

// define installs a custom resource of the name that lab 23 uses.
func (c *anyCluster) define() {
	require.NoError(c.t, c.call(c.t.Context(), http.MethodPost, definitionsPath, map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "databases.book.example"},
		"spec": map[string]any{
			"group": "book.example", "scope": "Namespaced", "names": map[string]any{"kind": "Database", "plural": "databases"},
			"versions": []any{map[string]any{"name": "v1", "served": true, "storage": true, "schema": map[string]any{"openAPIV3Schema": map[string]any{"type": "object"}}}},
		},
	}, nil))
}

func (c *anyCluster) databasesDefined() bool {
	return c.call(c.t.Context(), http.MethodGet, definitionsPath+"/databases.book.example", nil, nil) == nil
}
