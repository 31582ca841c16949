package judge

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// edited is the reference with text replaced everywhere.
func edited(t *testing.T, root, dir string, edits ...string) subject.Subject {
	t.Helper()
	lab, err := catalog.Find(dir)
	require.NoError(t, err)
	s, err := subject.Solution(root, lab)
	require.NoError(t, err)
	files := map[string][]byte{}
	for name, source := range s.Files {
		files[name] = []byte(strings.NewReplacer(edits...).Replace(string(source)))
	}
	s, err = subject.Given(root, lab, files)
	require.NoError(t, err)
	return s
}

// A changed declaration is refused at the learner's own line, with what the stub has
// there, and all of them at once, however many errors the compiler has to tell.
func TestAChangedDeclarationIsForbidden(t *testing.T) {
	wd, err := os.Getwd()
	require.NoError(t, err)
	kit := &gotest.Kit{Root: filepath.Join(wd, "..", "..", ".."), Temp: t.TempDir()}
	for _, c := range []struct {
		name, dir string
		edits     []string
		want      []string // messages
	}{
		{"a parameter", "01-goroutines", []string{"limit int, tasks", "limit int64, tasks", "limit = len(tasks)", "limit = int64(len(tasks))", "limit > len(tasks)", "limit > int64(len(tasks))"},
			[]string{"Gather is not declared as in the stub; the lab needs: func Gather[T any](ctx context.Context, limit int, tasks ...func(ctx context.Context) (T, error)) ([]T, error)"}},
		{"many names", "10-workqueue", []string{"kit.Queue[", "kit.Queue[", "Queue[", "Line["}, []string{
			"Add is gone; the lab needs: func (q *Queue[T]) Add(item T)", "Queue is gone; the lab needs: type Queue[T comparable] struct { }",
			"ShuttingDown is gone; the lab needs: func (q *Queue[T]) ShuttingDown() bool",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := edited(t, kit.Root, c.dir, c.edits...)
			j, err := Judge(t.Context(), kit, Order{Subject: s, Cases: s.Lab.Cases})
			require.NoError(t, err)
			require.NotEmpty(t, j.Violations, j.Compiler)
			assert.Equal(t, s.Path, j.Refused)
			var messages []string
			for _, v := range j.Violations {
				assert.Equal(t, gate.API, v.Kind)
				assert.Contains(t, s.Lab.Files, v.File)
				messages = append(messages, v.Message)
			}
			assert.Subset(t, messages, c.want)
			for _, r := range j.Results {
				assert.Equal(t, verdict.Forbidden, r.Verdict)
			}
		})
	}
}

// A part of lab 22 is held to its own stub.
func TestAChangedPartIsForbidden(t *testing.T) {
	wd, err := os.Getwd()
	require.NoError(t, err)
	kit := &gotest.Kit{Root: filepath.Join(wd, "..", "..", ".."), Temp: t.TempDir()}
	lab, err := catalog.Find("22")
	require.NoError(t, err)
	s, err := subject.Solution(kit.Root, lab)
	require.NoError(t, err)
	s.Parts = []subject.Subject{
		edited(t, kit.Root, "10-workqueue"),
		edited(t, kit.Root, "12-rate-limiting-queue", "burst int) *Bucket", "burst int, more ...int) *Bucket"),
	}
	j, err := Judge(t.Context(), kit, Order{Subject: s, Cases: s.Lab.Cases})
	require.NoError(t, err)
	require.Len(t, j.Violations, 1, j.Compiler)
	assert.Equal(t, s.Parts[1].Path, j.Refused)
	assert.Equal(t, "bucket.go", j.Violations[0].File)
	assert.Equal(t, "NewBucketRateLimiter is not declared as in the stub; the lab needs: func NewBucketRateLimiter[T comparable](qps float64, burst int) *BucketRateLimiter[T]", j.Violations[0].Message)
}
