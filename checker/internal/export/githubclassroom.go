package export

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
	"github.com/controllerbook/controllerbook/checker/internal/result"
)

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

// GitHubClassroom writes what the older GitHub Classroom graders put into the step output
// "result": base64 of JSON, in one line.
func GitHubClassroom(w io.Writer, r audience.Record) error {
	out := githubClassroom{Version: 1, Status: "pass", Max: r.Total().Max, Tests: []githubClassroomTest{}}
	for _, t := range tests(r) {
		one := githubClassroomTest{
			Name: t.lab + "/" + t.name, Status: status(t), Score: t.score,
			Filename: t.at.File, Line: t.at.Line, Duration: float64(t.took.Microseconds()) / 1000,
		}
		if !t.passed {
			one.Message = t.text
		}
		out.Status = worse(out.Status, one.Status)
		out.Tests = append(out.Tests, one)
	}
	for _, g := range r.Grades {
		if g.Status == result.Failed {
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
