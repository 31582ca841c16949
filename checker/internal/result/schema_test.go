package result_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/gate"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
	"github.com/controllerbook/controllerbook/checker/internal/result"
	"github.com/controllerbook/controllerbook/checker/internal/result/resulttest"
	"github.com/controllerbook/controllerbook/checker/internal/roster"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// schema is a JSON Schema, as far as ours go. A keyword that it does not know is an
// error, so that nothing is taken for checked that is not.
type schema map[string]any

var keywords = []string{
	"$schema", "$id", "$defs", "$ref", "title", "description",
	"type", "required", "properties", "items", "enum", "const", "minimum", "maximum",
}

func load(t *testing.T, name string) schema {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "schema", name))
	require.NoError(t, err)
	var s schema
	require.NoError(t, json.Unmarshal(text, &s))
	return s
}

// validate lists where v breaks s. strict also lists fields that s does not describe:
// a reader must bear them, but what we write is described.
func validate(root, s schema, v any, at string) []string {
	for k := range s {
		if !slices.Contains(keywords, k) {
			return []string{"the schema uses " + k}
		}
	}
	if ref, ok := s["$ref"].(string); ok {
		return validate(root, root["$defs"].(map[string]any)[strings.TrimPrefix(ref, "#/$defs/")].(map[string]any), v, at)
	}
	var bad []string
	if want, ok := s["type"]; ok && !hasType(want, v) {
		return []string{fmt.Sprintf("%s is %T, not %v", at, v, want)}
	}
	if want, ok := s["const"]; ok && want != v {
		bad = append(bad, fmt.Sprintf("%s is %v, not %v", at, v, want))
	}
	if want, ok := s["enum"].([]any); ok && !slices.Contains(want, v) {
		bad = append(bad, fmt.Sprintf("%s is %v, none of %v", at, v, want))
	}
	if n, ok := v.(float64); ok {
		if low, ok := s["minimum"].(float64); ok && n < low {
			bad = append(bad, fmt.Sprintf("%s is %v, under %v", at, n, low))
		}
		if high, ok := s["maximum"].(float64); ok && n > high {
			bad = append(bad, fmt.Sprintf("%s is %v, over %v", at, n, high))
		}
	}
	if list, ok := v.([]any); ok {
		for i, item := range list {
			bad = append(bad, validate(root, s["items"].(map[string]any), item, fmt.Sprintf("%s[%d]", at, i))...)
		}
	}
	if object, ok := v.(map[string]any); ok {
		bad = append(bad, validateObject(root, s, object, at)...)
	}
	return bad
}

func validateObject(root, s schema, object map[string]any, at string) (bad []string) {
	for _, name := range s["required"].([]any) {
		if _, ok := object[name.(string)]; !ok {
			bad = append(bad, fmt.Sprintf("%s has no %s", at, name))
		}
	}
	properties := s["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if p, ok := properties[name].(map[string]any); ok {
			bad = append(bad, validate(root, p, object[name], at+"."+name)...)
		} else {
			bad = append(bad, fmt.Sprintf("%s.%s is not described", at, name))
		}
	}
	return bad
}

func hasType(want, v any) bool {
	if names, ok := want.([]any); ok {
		return slices.ContainsFunc(names, func(n any) bool { return hasType(n, v) })
	}
	switch v := v.(type) {
	case nil:
		return want == "null"
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case float64:
		return want == "number" || want == "integer" && v == math.Trunc(v)
	case []any:
		return want == "array"
	}
	return want == "object"
}

func check(t *testing.T, s schema, text []byte) []string {
	var v any
	require.NoError(t, json.Unmarshal(text, &v))
	return validate(s, s, v, "result")
}

func TestGradesFollowTheirSchema(t *testing.T) {
	s := load(t, "grade-v1.json")
	seen := map[result.Status]bool{}
	for _, g := range append(resulttest.NewClass(1, 40, 5).Grades, full(), resulttest.Broken()) {
		var text bytes.Buffer
		require.NoError(t, g.WriteJSON(&text))
		require.Empty(t, check(t, s, text.Bytes()))
		seen[g.Status] = true
	}
	assert.Len(t, seen, 4)
}

// full is a grade with something in every field that a result can have.
func full() result.Grade {
	g := resulttest.Ada()
	at := outcome.Location{File: "f", Line: 1, Func: "F"}
	r := &g.Cases[0]
	lock := outcome.Lock{Name: "q.mu", At: at, Read: true, Key: "Queue.mu"}
	r.Goroutines = []outcome.Goroutine{{
		State: "running", At: at, Started: at, Via: []outcome.Location{at}, Count: 1, On: "q.mu", Ways: []string{"receive from q"}, Within: outcome.InCase,
		Holds: []outcome.Lock{lock}, HeldBy: &outcome.Holder{At: at, Lock: at, Self: true, Sure: true},
	}}
	r.Race = []outcome.Access{{Op: "read", At: at, Started: at, Main: true}}
	r.Detail = "the heap from 2 MB to 310 MB"
	r.Points, r.Copy, r.Passed, r.Runs = 1, 1, 1, 2
	r.History[0].Result, r.History[0].Open, r.History[0].Broke = "x", true, true
	g.Compiler = "text"
	g.Violations = []gate.Violation{{File: "f", Line: 1, Col: 1, Kind: "import", Message: "m", Help: "h"}}
	g.Late = &result.Late{Earned: 4, Percent: 10}
	g.Problem = "p"
	return g
}

// TestTheSchemaKnowsEveryField fails when a field is added to a result and not to its
// description.
func TestTheSchemaKnowsEveryField(t *testing.T) {
	r := full().Cases[0]
	v := reflect.ValueOf(r)
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if f.Tag.Get("json") != "-" {
			assert.False(t, v.Field(i).IsZero(), "full() leaves %s out, so that nothing checks its description", f.Name)
		}
	}
	described := load(t, "grade-v1.json")["$defs"].(map[string]any)["case"].(map[string]any)["properties"].(map[string]any)["verdict"].(map[string]any)["enum"].([]any)
	for _, v := range verdict.All {
		assert.Contains(t, described, string(v))
	}
	assert.Len(t, described, len(verdict.All))
}

// TestSchemasNameTheFieldsOfTheTypes fails when a field is added to a type, or to a part of
// a schema, alone.
func TestSchemasNameTheFieldsOfTheTypes(t *testing.T) {
	parts := map[string]any{
		"location": outcome.Location{}, "goroutine": outcome.Goroutine{}, "holder": outcome.Holder{}, "lock": outcome.Lock{},
		"access": outcome.Access{}, "event": wire.Event{}, "case": outcome.Result{}, "violation": gate.Violation{},
		"toolchain": result.Toolchain{}, "student": roster.Student{}, "late": result.Late{},
	}
	for name, whole := range map[string]any{"grade-v1.json": result.Grade{}, "result-v1.json": result.Run{}} {
		s := load(t, name)
		assert.ElementsMatch(t, fields(whole), described(s), name)
		for part, d := range s["$defs"].(map[string]any) {
			require.Contains(t, parts, part, name)
			assert.ElementsMatch(t, fields(parts[part]), described(d.(map[string]any)), "%s: %s", name, part)
		}
	}
}

// fields are the names that the fields of v have in JSON.
func fields(v any) (names []string) {
	for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "-" && !f.Anonymous {
			names = append(names, name)
		}
	}
	return names
}

// described are the names that s describes.
func described(s schema) []string {
	return slices.Collect(maps.Keys(s["properties"].(map[string]any)))
}

func TestResultsFollowTheirSchema(t *testing.T) {
	s := load(t, "result-v1.json")
	r := result.NewRun("learner", 7)
	r.Add(catalog.Labs()[0].Lab, full().Cases, full().Refusal)
	var text bytes.Buffer
	require.NoError(t, r.WriteJSON(&text))
	assert.Empty(t, check(t, s, text.Bytes()))
	for from, to := range map[string]string{
		`"schema": "controllerbook/result/v1"`: `"schema": "controllerbook/result/v2"`,
		`"verdict": "pass"`:                    `"verdict": "passed"`,
		`"points": 0`:                          `"points": -1`,
		`"seed": 7`:                            `"seed": "7"`,
		`"subject": "learner",`:                ``,
		`"title": `:                            `"tittle": `,
	} {
		require.Contains(t, text.String(), from)
		assert.NotEmpty(t, check(t, s, bytes.ReplaceAll(text.Bytes(), []byte(from), []byte(to))), to)
	}
}
