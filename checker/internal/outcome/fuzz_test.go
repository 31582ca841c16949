package outcome

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/verdict"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// FuzzFold: whatever a process sends, prints and ends with, there is a verdict, and points
// only for a case that has begun and ended as one that passed.
func FuzzFold(f *testing.F) {
	const passed = `{"kind":"start"}{"kind":"end","passed":true}`
	f.Add(passed, "", 0, "", false)
	f.Add(passed, raceReport, 66, "", false)
	f.Add(`{"kind":"start"}{"kind":"leak","dump":"goroutine 1 [chan receive]:\n`+pkg+`.Gather()\n\t`+file+`:61\n"}{"kind":"end"}`, "", 1, "", false)
	f.Add(`{"kind":"start"}{"kind":"crash","message":"boom"}`, "panic: boom\n\ngoroutine 1 [running]:\n"+pkg+".Gather()\n\t"+file+":61 +0x1\n", 2, "", false)
	f.Add(`{"kind":"start"}{"kind":"stuck","copy":-1}`, "fatal error: all goroutines are asleep - deadlock!\n", 2, "", false)
	f.Add(`{"kind":"failure","history":[{"at":-1}]}`, "panic: controllerbook: Gather is not implemented yet", 2, "killed", true)
	f.Add(`{"kind":"end","passed":true}`, "x\nThreadSanitizer: out of memory\nfatal error: runtime: out of memory", 0, "", false)
	f.Fuzz(func(t *testing.T, records, stderr string, exit int, signal string, timedOut bool) {
		raw := Raw{Records: decoded(records), Stderr: stderr, Exit: exit, Signal: signal, TimedOut: timedOut}
		r := Fold(about, raw)
		assert.True(t, r.Verdict.Valid(), "%q is no verdict", r.Verdict)
		if r.Verdict != verdict.Pass {
			assert.Zero(t, r.Points)
			return
		}
		assert.Equal(t, about.Case.Points, r.Points)
		assert.Zero(t, exit)
		assert.Empty(t, signal)
		assert.False(t, timedOut)
		if assert.NotEmpty(t, raw.Records) {
			assert.True(t, hasPassed(raw.Records))
		}
	})
}

func hasPassed(records []wire.Record) bool {
	for _, r := range records {
		if r.Kind == wire.End && r.Passed {
			return true
		}
	}
	return false
}

// decoded reads records as they stand one after the other.
func decoded(text string) []wire.Record {
	var all []wire.Record
	d := json.NewDecoder(strings.NewReader(text))
	for {
		var r wire.Record
		if d.Decode(&r) != nil {
			return all
		}
		all = append(all, r)
	}
}
