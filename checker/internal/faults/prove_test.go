package faults

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gotest"
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
	edited := func(root string) (subject.Subject, error) {
		return subject.Given(root, lab, map[string][]byte{"pool.go": []byte("package channels\n")})
	}
	check := func(name, wants string, answer error, from source) Check {
		c := proof(lab, name, from, func(context.Context, *gotest.Kit, subject.Subject) error { return answer })
		c.wants = wants
		return c
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
		proved, ran := proven(t, root, run.held, run.checks)
		assert.ElementsMatch(t, all, proved, run.why)
		assert.ElementsMatch(t, run.want, ran, run.why)
	}
}

// proven are the names of the checks that Prove settled, and of those that it ran.
func proven(t *testing.T, root string, held *Held, checks []Check) (proved, ran []string) {
	kit := &gotest.Kit{Root: root, Temp: t.TempDir()}
	require.NoError(t, Prove(t.Context(), kit, held, checks, func(p Proof) {
		proved = append(proved, p.Name)
		if !p.Known {
			ran = append(ran, p.Name)
		}
	}))
	return proved, ran
}
