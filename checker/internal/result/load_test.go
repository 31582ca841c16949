package result_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

func TestDecode(t *testing.T) {
	g := resulttest.Ada()
	var file bytes.Buffer
	require.NoError(t, g.WriteJSON(&file))
	got, err := result.Decode(&file, resulttest.Book().CaseCount)
	require.NoError(t, err)
	assert.Equal(t, []result.Grade{g}, got)

	lab := catalog.Labs()[0]
	var results []outcome.Result
	for _, c := range lab.Cases {
		results = append(results, outcome.Result{Lab: lab.Dir, Case: c.Name, Verdict: verdict.Pass, Points: c.Points, Max: c.Points})
	}
	r := result.NewRun("learner", 7)
	r.Add(lab.Lab, results, result.Refusal{})
	require.NoError(t, r.WriteJSON(&file))
	got, err = result.Decode(&file, resulttest.Book().CaseCount)
	require.NoError(t, err)
	assert.Equal(t, lab.Max(), got[0].Points)

	r = result.NewRun("learner", 7)
	r.Add(lab.Lab, results[:1], result.Refusal{})
	require.NoError(t, r.WriteJSON(&file))
	_, err = result.Decode(&file, resulttest.Book().CaseCount)
	require.ErrorIs(t, err, result.ErrPart)
	assert.ErrorContains(t, err, "run the whole lab")

	for text, want := range map[string]string{
		"":                                     "not a result of this checker",
		"{}":                                   `its schema is ""`,
		`{"schema":"controllerbook/grade/v2"}`: `its schema is "controllerbook/grade/v2"`,
	} {
		_, err := result.Decode(strings.NewReader(text), resulttest.Book().CaseCount)
		require.ErrorIs(t, err, result.ErrNoResult)
		assert.ErrorContains(t, err, want)
	}
}

func TestGradesOfAStudentStandTogether(t *testing.T) {
	a, b := resulttest.Ada(), resulttest.With(func(g *result.Grade) { g.Student.ID = "s101" })
	var got []string
	var last error
	for r, err := range result.ByStudent(func(yield func(result.Grade, error) bool) {
		for _, g := range []result.Grade{a, a, b, a} {
			if !yield(g, nil) {
				return
			}
		}
	}) {
		got, last = append(got, r.ID), err
	}
	assert.Equal(t, []string{"s100", "s101", ""}, got)
	assert.ErrorContains(t, last, `"s100" do not stand together`)
}

func TestOneStudent(t *testing.T) {
	class := resulttest.NewClass(1, 2, 2)
	r, err := result.OneStudent(result.Only(class.All(), "s101"))
	require.NoError(t, err)
	assert.Equal(t, class.Grades[2:], r.Grades)
	assert.Equal(t, class.Grades[2].Student, r.Student)
	_, err = result.OneStudent(class.All())
	require.ErrorIs(t, err, result.ErrManyStudents)
	_, err = result.OneStudent(result.Only(class.All(), "nobody"))
	require.ErrorIs(t, err, result.ErrNoResults)
}
