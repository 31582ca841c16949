package faults

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/subject"
)

// What held is not run again until something changes that it follows from; what did not
// hold always is.
func TestWhatHeldIsNotRunAgain(t *testing.T) {
	root := repository(t)
	lab, err := catalog.Find("2")
	require.NoError(t, err)
	held, err := OpenHeld(t.Context(), t.TempDir(), root, []catalog.Lab{lab})
	require.NoError(t, err)
	var ran []string
	check := func(name, wants string, answer error, from source) Check {
		return Check{Lab: lab, Name: name, wants: wants, source: from, prove: func(context.Context, *gotest.Kit, subject.Subject) (outcome.Result, error) {
			return outcome.Result{}, answer
		}}
	}
	edited := func(root string) (subject.Subject, error) {
		return subject.Given(root, lab, map[string][]byte{"pool.go": []byte("package channels\n")})
	}
	prove := func(h *Held, checks ...Check) (proved []string) {
		ran = nil
		kit := &gotest.Kit{Root: root, Temp: t.TempDir()}
		require.NoError(t, Prove(t.Context(), kit, h, checks, func(p Proof) {
			proved = append(proved, p.Name)
			if !p.Known {
				ran = append(ran, p.Name)
			}
		}))
		return proved
	}
	right := check("right", "a panic", nil, solution(lab))
	wrong := check("wrong", "a panic", errors.New("it passes"), solution(lab))
	about := check("about both", "", nil, nil)
	all := []string{"right", "wrong", "about both"}
	for _, run := range []struct {
		why    string
		held   *Held
		checks []Check
		want   []string
	}{
		{"nothing is known", held, []Check{right, wrong, about}, all},
		{"nothing changed", held, []Check{right, wrong, about}, []string{"wrong"}},
		{"it is asked for", nil, []Check{right, wrong, about}, all},
		{"another verdict is wanted", held, []Check{check("right", "a deadlock", nil, solution(lab)), wrong, about}, all},
		{"the subject is edited", held, []Check{check("right", "a deadlock", nil, edited), wrong, about}, all},
	} {
		assert.ElementsMatch(t, all, prove(run.held, run.checks...), run.why)
		assert.ElementsMatch(t, run.want, ran, run.why)
	}
}
