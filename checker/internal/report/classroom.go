package report

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"time"
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

// WriteClassroom50 writes the result.json of Classroom 50 (foundation50/classroom50,
// Advanced Autograding: the result.json contract). Its score is the sum of its tests:
// lateness is Classroom 50's own business.
func WriteClassroom50(w io.Writer, grades []Grade, c Classroom) error {
	if err := decided(grades); err != nil {
		return err
	}
	if c.Review == "" {
		c.Review = c.Commit
	}
	out := classroom50{
		Schema: "classroom50/result/v1", Classroom: c.Name, Assignment: c.Assignment,
		AssignmentType: c.AssignmentType, Owner: c.Owner, Submission: c.Submission,
		Commit: c.Commit, Release: c.Release, Review: c.Review, Datetime: c.Datetime.UTC().Format(time.RFC3339),
		Score: sum(grades, (*Grade).earned), Max: sum(grades, func(g *Grade) int { return g.Max }),
		Tests: []classroom50Test{},
	}
	for _, t := range tests(grades, ForStudent) {
		out.Tests = append(out.Tests, classroom50Test{t.lab + "/" + t.name, t.passed, t.score, t.max})
	}
	return encode(w, out)
}

type githubClassroom struct {
	Version int                   `json:"version"`
	Status  string                `json:"status"`
	Max     int                   `json:"max_score"`
	Tests   []githubClassroomTest `json:"tests"`
}

type githubClassroomTest struct {
	Name     string  `json:"name"`
	Status   string  `json:"status"`
	Score    int     `json:"score"`
	Message  string  `json:"message"`
	TestCode string  `json:"test_code"` // never ours to show
	Filename string  `json:"filename"`
	Line     int     `json:"line_no"`
	Duration float64 `json:"duration"` // milliseconds
}

// WriteGitHubClassroom writes what the older GitHub Classroom graders put into the step
// output "result": base64 of JSON, in one line.
func WriteGitHubClassroom(w io.Writer, grades []Grade, to Audience) error {
	out := githubClassroom{Version: 1, Status: "pass", Max: sum(grades, func(g *Grade) int { return g.Max }), Tests: []githubClassroomTest{}}
	for _, t := range tests(grades, to) {
		one := githubClassroomTest{
			Name: t.lab + "/" + t.name, Status: status(t), Score: t.score,
			Filename: t.file, Line: t.line, Duration: float64(t.took.Microseconds()) / 1000,
		}
		if !t.passed {
			one.Message = t.text
		}
		out.Status = worse(out.Status, one.Status)
		out.Tests = append(out.Tests, one)
	}
	for i := range grades {
		if grades[i].Status == Failed {
			out.Status = "error"
		}
	}
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, base64.StdEncoding.EncodeToString(text))
	return err
}
