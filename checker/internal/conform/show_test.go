package conform

import (
	"errors"
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
