package export

import (
	"io"

	"github.com/controllerbook/controllerbook/checker/internal/audience"
)

type exercism struct {
	Version int            `json:"version"`
	Status  string         `json:"status"`
	Message string         `json:"message,omitempty"`
	Tests   []exercismTest `json:"tests"`
}

type exercismTest struct {
	Name     string `json:"name"`
	Status   string `json:"status"`
	Message  string `json:"message,omitempty"`
	TestCode string `json:"test_code"`
	Task     int    `json:"task_id,omitempty"`
}

// Exercism writes results.json as Exercism's test runners do, version 3. Its status is
// "error" only where nothing ran.
func Exercism(w io.Writer, r audience.Record) error {
	out := exercism{Version: 3, Status: "pass", Tests: []exercismTest{}}
	for _, g := range r.Grades {
		if g.Refused != nil {
			out.Status, out.Message = "error", words(*g.Refused)
			return encode(w, out)
		}
	}
	for i, t := range tests(r) {
		one := exercismTest{Name: t.lab + "/" + t.name, Status: status(t), Task: i + 1}
		if !t.passed {
			one.Message = t.text
			out.Status = "fail"
		}
		out.Tests = append(out.Tests, one)
	}
	return encode(w, out)
}
