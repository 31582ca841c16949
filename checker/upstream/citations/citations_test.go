package citations

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/suites"
)

// TestSourcesResolve: the Source of every case of every suite.
func TestSourcesResolve(t *testing.T) {
	count := 0
	for _, lab := range suites.All() {
		for _, c := range lab.Cases {
			cited, unread := Source(lab.Dir+", case "+c.Name, c.Source)
			for _, item := range unread {
				t.Errorf("%s, case %s: %q is no citation, thread or document (docs/authoring.md)", lab.Dir, c.Name, item)
			}
			for _, one := range cited {
				count++
				if err := Resolve(one); err != nil {
					t.Error(err)
				}
			}
		}
	}
	t.Logf("%d citations", count)
	require.NotZero(t, count)
}

// TestResolveFindsMistakes: a file, an identifier, a quotation and a module that are not there.
func TestResolveFindsMistakes(t *testing.T) {
	right := Citation{Module: "client-go", File: "util/workqueue/queue.go", Names: []string{"Typed.Add", `"cond.Signal()"`}}
	require.NoError(t, Resolve(right))
	for what, wrong := range map[string]Citation{
		"no such file":                  {Module: "client-go", File: "util/workqueue/queues.go", Names: []string{"Typed.Add"}},
		"does not declare Typed.Append": {Module: "client-go", File: "util/workqueue/queue.go", Names: []string{"Typed.Append"}},
		"does not declare AddAfter":     {Module: "client-go", File: "util/workqueue/queue.go", Names: []string{"AddAfter"}}, // of the file beside it
		`does not say "Signals"`:        {Module: "client-go", File: "util/workqueue/queue.go", Names: []string{`"Signals"`}},
		"no module":                     {Module: "client", File: "util/workqueue/queue.go"},
	} {
		assert.ErrorContains(t, Resolve(wrong), what)
	}
}

func TestSourceIsRead(t *testing.T) {
	cited, unread := Source("here", `client-go util/workqueue/queue.go: Typed.Add, "a; b" (x; y (z)); kubernetes#1, a reason; The Go Memory Model; Go sync/cond.go: Cond.Wait`)
	assert.Empty(t, unread)
	assert.Equal(t, []Citation{
		{Where: "here", Module: "client-go", File: "util/workqueue/queue.go", Names: []string{`"a; b"`, "Typed.Add"}},
		{Where: "here", Module: "Go", File: "sync/cond.go", Names: []string{"Cond.Wait"}},
	}, cited)
	for _, bad := range []string{
		"client-go tools/cache reflector.go, list", "client-go tools/cache/reflector.go", "client-go tools/cache/reflector.go: a sentence",
		"kubelet main.go: main", "own: reflector.go says so", "somebody said so",
	} {
		_, unread := Source("here", bad)
		assert.Equal(t, []string{bad}, unread)
	}
}

const root = "../../.."

// pages are the lessons and documents, by their names from the root.
func pages(t *testing.T) map[string]string {
	all := map[string]string{}
	for _, pattern := range []string{"README.md", "labs/*/README.md", "docs/*.md", "docs/*/*.md"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		require.NoError(t, err)
		require.NotEmpty(t, names, pattern)
		for _, name := range names {
			text, err := os.ReadFile(name)
			require.NoError(t, err)
			rel, err := filepath.Rel(root, name)
			require.NoError(t, err)
			all[filepath.ToSlash(rel)] = string(text)
		}
	}
	return all
}

// TestPagesResolve: every Go file in a code span of a lesson or document, and the
// identifiers behind it.
func TestPagesResolve(t *testing.T) {
	count := 0
	for name, text := range pages(t) {
		page := Page{Name: name, Root: root}
		cited, unread := page.Read(text)
		for _, span := range unread {
			t.Errorf("%s: neither upstream nor this repository has %s (docs/authoring.md)", name, span)
		}
		for _, one := range cited {
			count += len(one.Names)
			if testing.Verbose() {
				t.Log(one)
			}
			if err := Resolve(one); err != nil {
				t.Error(err)
			}
		}
	}
	t.Logf("%d identifiers", count)
	require.NotZero(t, count)
}

func TestPageIsRead(t *testing.T) {
	page := Page{Name: "labs/10-workqueue/README.md", Root: root}
	cited, unread := page.Read(strings.ReplaceAll(strings.TrimSpace(`
- 'k8s.io/client-go/util/workqueue/queue.go': 'Typed.Add', 'Get' and its 'Done', where 'other' is not cited.
- 'delaying_queue.go' beside it; 'tools/cache/store.go', 'KeyFunc'.
- 'queue.go' is of the lab. 'nowhere.go' is not there. 'net/http', 'Server.Shutdown'.
- 'pilot/pkg/xds/discovery.go', 'debounce'; 'catalog/catalog.go' is of the checker.
- kubernetes 'pkg/controller/deployment': 'rolling.go' ('rolloutRolling', with an example), 'make test', 'a/b'.
`), "'", "`"))
	assert.Equal(t, []string{"nowhere.go"}, unread)
	where := "labs/10-workqueue/README.md"
	assert.Equal(t, []Citation{
		{Where: where, Module: "client-go", File: "util/workqueue/queue.go", Names: []string{"Typed.Add", "Get", "Done"}},
		{Where: where, Module: "client-go", File: "util/workqueue/delaying_queue.go"},
		{Where: where, Module: "client-go", File: "tools/cache/store.go", Names: []string{"KeyFunc"}},
		{Where: where, Module: "Go", File: "net/http", Names: []string{"Server.Shutdown"}},
		{Where: where, Module: "istio", File: "pilot/pkg/xds/discovery.go", Names: []string{"debounce"}},
		{Where: where, Module: "kubernetes", File: "pkg/controller/deployment"},
		{Where: where, Module: "kubernetes", File: "pkg/controller/deployment/rolling.go", Names: []string{"rolloutRolling"}},
	}, cited)
}
