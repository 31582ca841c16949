package real_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/judge"
	"github.com/controllerbook/controllerbook/checker/internal/real"
	"github.com/controllerbook/controllerbook/checker/internal/real/site"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func root(t *testing.T) string {
	wd, err := os.Getwd()
	require.NoError(t, err)
	return filepath.Join(wd, "..", "..", "..")
}

// TestRealServer runs the references through every case at one server, and then each fault
// through the case that must notice it.
func TestRealServer(t *testing.T) {
	if !*real.Servers {
		t.Skip("make test-real runs it")
	}
	kit := &gotest.Kit{Root: root(t), Temp: t.TempDir(), Budget: gotest.Budget{AtOnce: 2 * runtime.GOMAXPROCS(0)}}
	builder := real.Builder{Root: kit.Root, Say: func(what string) { t.Logf("building the %s", what) }}
	_, err := builder.Tools(t.Context(), true)
	require.NoError(t, err)
	t.Parallel() // TestRealCluster waits, most of the time; it finds the programs built
	began := time.Now()
	session, err := real.Open(t.Context(), builder, real.Options{Databases: true}, t.TempDir())
	require.NoError(t, err)
	defer func() { assert.NoError(t, session.Close()) }()
	t.Logf("Kubernetes %s is ready after %v", session.Version, time.Since(began).Round(time.Second))
	lab, err := real.Lab(real.Cases())
	require.NoError(t, err)
	references, err := subject.Solution(kit.Root, lab)
	require.NoError(t, err)
	t.Run("references", func(t *testing.T) {
		for _, r := range run(t, kit, session, 0, references, lab.Cases...) {
			assert.Equal(t, verdict.Pass, r.verdict, "%s: %s", r.name, r.message)
		}
		t.Logf("all cases have run after %v", time.Since(began).Round(time.Second))
	})
	faults, err := real.Faults(kit.Root)
	require.NoError(t, err)
	for _, own := range []bool{true, false} { // what breaks the server has it for itself
		t.Run(fmt.Sprintf("faults, alone=%t", own), func(t *testing.T) {
			for _, f := range faults {
				if breaksServer(f) == own {
					t.Run(f.Name, func(t *testing.T) { notices(t, session, lab, f, !own) })
				}
			}
		})
	}
	t.Logf("all faults have run after %v", time.Since(began).Round(time.Second))
}

// breaksServer reports whether the case that must notice a fault does.
func breaksServer(f real.Fault) bool {
	return slices.ContainsFunc(real.Cases(), func(c real.Case) bool { return c.Own && c.Name == f.KilledBy })
}

// notices requires that the case that a fault names notices it.
func notices(t *testing.T, session *real.Session, lab catalog.Lab, f real.Fault, besideOthers bool) {
	if besideOthers {
		t.Parallel()
	}
	c, err := lab.Case(f.KilledBy)
	require.NoError(t, err)
	kit := &gotest.Kit{Root: root(t), Temp: t.TempDir(), Budget: gotest.Budget{AtOnce: 1}}
	const hasty = 6 * time.Second // what is wrong stays wrong
	r := run(t, kit, session, hasty, f.Subject, c)[0]
	assert.NotEqual(t, verdict.Pass, r.verdict, "%s does not notice it", f.KilledBy)
	assert.NotContains(t, []verdict.Verdict{verdict.CompileError, verdict.Forbidden}, r.verdict, r.message)
	assert.NotContains(t, r.message, "The server, or client-go")
	t.Logf("%s: %s: %s", f.KilledBy, r.verdict, r.message)
}

// outcome is what became of a case.
type outcome struct {
	name    string
	verdict verdict.Verdict
	message string
}

func run(t *testing.T, kit *gotest.Kit, session *real.Session, patience time.Duration, s subject.Subject, cases ...conform.Meta) []outcome {
	at := session.Site
	at.Patience = patience
	file := filepath.Join(t.TempDir(), "site.json")
	require.NoError(t, at.Write(file))
	kit.Env = []string{site.Env + "=" + file}
	j, err := judge.Judge(context.Background(), kit, judge.Order{Subject: s, Cases: cases, Seed: 1, Isolate: true, Single: real.Single()})
	require.NoError(t, err)
	require.Empty(t, j.Compiler)
	var all []outcome
	for _, r := range j.Results {
		all = append(all, outcome{r.Case, r.Verdict, r.Message})
	}
	return all
}

// TestTheFaultsStand reads every fault and puts it into its place: that needs no server.
func TestTheFaultsStand(t *testing.T) {
	faults, err := real.Faults(root(t))
	require.NoError(t, err)
	lab, err := real.Lab(real.Cases())
	require.NoError(t, err)
	for _, f := range faults {
		_, err := lab.Case(f.KilledBy)
		assert.NoError(t, err, f.Name)
		_, err = f.Subject.Overlay(root(t))
		assert.NoError(t, err, f.Name)
	}
}
