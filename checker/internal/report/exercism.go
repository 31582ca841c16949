package report

import (
	"io"
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

// WriteExercism writes results.json as Exercism's test runners do, version 3. Its
// status is "error" only where nothing ran.
func WriteExercism(w io.Writer, grades []Grade, to Audience) error {
	out := exercism{Version: 3, Status: "pass", Tests: []exercismTest{}}
	for i := range grades {
		if e, refused := grades[i].refusal(); refused {
			out.Status, out.Message = "error", words(e)
			return encode(w, out)
		}
	}
	for i, t := range tests(grades, to) {
		one := exercismTest{Name: t.lab + "/" + t.name, Status: status(t), Task: i + 1}
		if !t.passed {
			one.Message = t.text
			out.Status = "fail"
		}
		out.Tests = append(out.Tests, one)
	}
	return encode(w, out)
}
