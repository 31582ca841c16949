package export

import (
	"io"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
)

// Classroom is what Classroom 50 tells a grader about a run, in environment variables.
type Classroom struct {
	Name, Assignment, AssignmentType, Owner string // CLASSROOM, ASSIGNMENT, ASSIGNMENT_TYPE, OWNER
	Submission, Commit, Release, Review     string // SUBMISSION_TAG, COMMIT_URL, RELEASE_URL, REVIEW_URL
	Datetime                                time.Time
}

type classroom50 struct {
	Schema         string            `json:"schema"`
	Classroom      string            `json:"classroom"`
	Assignment     string            `json:"assignment"`
	AssignmentType string            `json:"assignment_type,omitempty"`
	Owner          string            `json:"owner,omitempty"`
	Submission     string            `json:"submission"`
	Commit         string            `json:"commit"`
	Release        string            `json:"release"`
	Review         string            `json:"review"`
	Datetime       string            `json:"datetime"`
	Score          int               `json:"score"`
	Max            int               `json:"max-score"`
	Tests          []classroom50Test `json:"tests"`
}

type classroom50Test struct {
	Name   string `json:"test-name"`
	Passed bool   `json:"passed"`
	Score  int    `json:"score"`
	Max    int    `json:"max-score"`
}

// Classroom50 writes the result.json of Classroom 50 (foundation50/classroom50, Advanced
// Autograding: the result.json contract). Its score is the sum of its tests: lateness is
// Classroom 50's own business. The error is ErrUndecided if any points are.
func Classroom50(w io.Writer, r audience.Record, c Classroom) error {
	if err := decided(r); err != nil {
		return err
	}
	total := r.Total()
	if c.Review == "" {
		c.Review = c.Commit
	}
	out := classroom50{
		Schema: "classroom50/result/v1", Classroom: c.Name, Assignment: c.Assignment,
		AssignmentType: c.AssignmentType, Owner: c.Owner, Submission: c.Submission,
		Commit: c.Commit, Release: c.Release, Review: c.Review, Datetime: c.Datetime.UTC().Format(time.RFC3339),
		Score: total.Earned, Max: total.Max,
		Tests: []classroom50Test{},
	}
	for _, t := range tests(r) {
		out.Tests = append(out.Tests, classroom50Test{t.lab + "/" + t.name, t.passed, t.score, t.max})
	}
	return encode(w, out)
}
