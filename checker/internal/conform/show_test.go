package conform

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func TestShow(t *testing.T) {
	pod := func(namespace, name, version string) *kit.Pod {
		return &kit.Pod{ObjectMeta: kit.ObjectMeta{Namespace: namespace, Name: name, ResourceVersion: version}}
	}
	assert.Equal(t, "shop/web@7", Show(pod("shop", "web", "7")))
	assert.Equal(t, "node-1", Show(pod("", "node-1", "")), "cluster-scoped, and never stored")
	assert.Equal(t, "nil", Show((*kit.Pod)(nil)))
	assert.Equal(t, "[a/x@1 nil]", Show([]*kit.Pod{pod("a", "x", "1"), nil}))
	assert.Equal(t, "[]", Show([]kit.Object{}))
	priority := -100
	assert.Equal(t, "{RequeueAfter: 1m0s, Priority: -100}", Show(kit.Result{RequeueAfter: time.Minute, Priority: &priority}))
	assert.Equal(t, "{}", Show(kit.Result{}))
	for _, other := range []any{nil, 3, "text", time.Second, errors.New("no"), []int{1}, kit.Request{Name: "a"}, time.Time{}} {
		assert.Equal(t, other, Show(other))
	}
}

func TestDoRecordsCallAndResult(t *testing.T) {
	a := &Actor{who: "worker", start: time.Now()}
	err := Do(a, func() error { return errors.New("full") }, "Add(%v)", &kit.Pod{ObjectMeta: kit.ObjectMeta{Name: "a"}})
	assert.EqualError(t, err, "full")
	n, ok := Do2(a, func() (int, bool) { return 3, true }, "Get()")
	assert.Equal(t, 3, n)
	assert.True(t, ok)
	a.Do(func() {}, "Close()")
	events := history([]*Actor{a})
	for i, want := range [][2]string{{"Add(a)", "full"}, {"Get()", "3, true"}, {"Close()", ""}} {
		assert.Equal(t, want[0], events[i].What)
		assert.Equal(t, want[1], events[i].Result)
		assert.False(t, events[i].Open)
	}
}

// Cases count what a subject keeps alive, so a log must not keep it.
func TestAnEventKeepsNothingAlive(t *testing.T) {
	a := &Actor{who: "test", start: time.Now()}
	long := strings.Repeat("x", 1<<20)
	a.Call("Add(%q)", long[:1<<19]).Returned("%v", errors.New(long))
	a.Note("%v", []string{long})
	a.Note("%v", [1 << 16]byte{})
	for _, e := range a.log.copy() {
		for _, w := range []words{e.what, e.result} {
			for _, arg := range w.args {
				assert.LessOrEqual(t, len(fmt.Sprint(arg)), maxEventText+len("… (cut)"))
			}
		}
	}
	event := a.log.events()[0]
	assert.True(t, strings.HasSuffix(event.What, "… (cut)"), event.What)
	assert.True(t, strings.HasSuffix(event.Result, "… (cut)"), event.Result)
}

// What a learner's method does is not the suite's to survive.
func TestAnEventSurvivesAnError(t *testing.T) {
	a := &Actor{who: "test", start: time.Now()}
	a.Note("%v %v", error((*noError)(nil)), &noError{})
	assert.Contains(t, a.log.events()[0].What, "<nil>")
}

type noError struct{ text *string }

func (e *noError) Error() string { return *e.text }

func TestOfALongChangeTheDifferenceStays(t *testing.T) {
	same := strings.Repeat("Name: web, ", 12)
	text := clipChange("Update({" + same + "Replicas: 1}) → {" + same + "Replicas: 2}")
	assert.LessOrEqual(t, len(text), maxEventText+len("…"))
	assert.Contains(t, text, "Update({Name: web", "the beginning of the old")
	assert.Contains(t, text, " → …")
	assert.Contains(t, text, "Replicas: 2}")
	assert.Equal(t, "a → b", clipChange("a → b"))
	long := strings.Repeat("x", 200)
	assert.LessOrEqual(t, len(clipChange(long+" → "+long)), maxEventText+len("…"))
	assert.Contains(t, clipChange(long+" → done"), " → done", "a short end stays whole")
	assert.Contains(t, clipChange(long), "(cut)")
}

func TestACountHasTheRightNoun(t *testing.T) {
	assert.Equal(t, "1 value", Count(1, "value"))
	assert.Equal(t, "0 values", Count(0, "value"))
	assert.Equal(t, "2 entries", Count(2, "entry", "entries"))
}
