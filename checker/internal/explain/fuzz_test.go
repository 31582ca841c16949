package explain

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// FuzzCompile: what the compiler says has a subject's own words in it.
func FuzzCompile(f *testing.F) {
	for _, text := range []string{
		"labs/01-goroutines/gather.go:33:9: cannot use 42 (untyped int constant) as []T value in return statement\n",
		"# command-line-arguments\n./a.go:1:1: undefined: x\n\thave (int)\n\twant (string)\n", "a.go:99999999999999999999:0:\n:::\n", "", "\x1b[2J",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { assert.NotEmpty(t, Compile(text).Title) })
}

// FuzzCase: every result that can be read can be explained.
func FuzzCase(f *testing.F) {
	for _, text := range []string{
		`{"verdict":"wrong-answer","message":"m","detail":"the heap from 2 MB to 310 MB","history":[{"who":"test","at":5,"what":"Get()","open":true}]}`,
		`{"verdict":"data-race","race":[{"op":"write","at":{"file":"a.go","line":3}},{"op":"read","main":true}]}`,
		`{"verdict":"deadlock","goroutines":[{"state":"sync.Mutex.Lock","count":2,"at":{"file":"a.go","line":-1}}]}`,
		`{"verdict":"unstable","passed":-1,"runs":0}`, `{"verdict":"nonsense"}`, `{"verdict":"panic","message":"","race":[{}]}`, `{"verdict":"data-race"}`, `{}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var r outcome.Result
		if json.Unmarshal(text, &r) != nil || !r.Verdict.Valid() {
			return
		}
		assert.NotEmpty(t, Case(conform.Meta{Name: "keeps-order", Func: "Gather", Rule: "r", Why: "w"}, r).Title)
	})
}
