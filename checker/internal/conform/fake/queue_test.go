package fake_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func TestAQueueHandsOutEachItemOnce(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		q := fake.NewWorkQueue(t, fake.Always[string](0))
		urgent := 1
		q.Put(0, "a", "b", "a")
		q.AddWithOpts(kit.AddOpts{Priority: &urgent}, "c")
		require.Equal(t, 3, q.Len())
		item, priority, _ := q.GetWithPriority()
		require.Equal(t, []any{"c", 1}, []any{item, priority})
		q.Add("c")
		require.Equal(t, 2, q.Len(), "Nobody gets an item that somebody has.")
		require.Equal(t, []string{"c"}, q.Held())
		q.Done("c")
		require.Equal(t, map[string]int{"a": 0, "b": 0, "c": 0}, q.Take())
		q.Idle()
		q.ShutDown()
		q.Add("late")
		_, shutdown := q.Get()
		require.True(t, shutdown)
		var methods []string
		for _, c := range q.TakeCalls() {
			methods = append(methods, c.Method)
		}
		require.Equal(t, []string{"Add", "Get", "Add", "Done", "ShutDown", "Add"}, methods)
		require.Empty(t, q.Calls())
	})
}

func TestAQueueDelays(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		limiter := fake.Doubling[string](time.Second)
		q := fake.NewWorkQueue(t, limiter)
		q.AddAfter("a", time.Minute)
		q.AddAfter("a", time.Second)
		q.AddAfter("a", time.Hour)
		a, _ := q.Get()
		require.Equal(t, []any{"a", time.Second}, []any{a, t.Elapsed()}, "The earlier time counts.")
		q.Done("a")
		for range 2 {
			q.AddRateLimited("b")
			_, _ = q.Get()
			q.Done("b")
		}
		require.Equal(t, 4*time.Second, t.Elapsed())
		require.Equal(t, map[string]int{"b": 2}, limiter.Counts())
		require.Equal(t, 2, q.NumRequeues("b"))
		q.Forget("b")
		require.Equal(t, []string{"b"}, limiter.Forgotten())
		require.Equal(t, 2, limiter.Asked())
		calls := q.Calls()
		assert.Equal(t, fake.QueueCall[string]{Method: "AddAfter", Item: "a", After: time.Minute}, calls[0])
		assert.Equal(t, fake.QueueCall[string]{Method: "Done", Item: "a", Held: true, At: time.Second}, calls[4])
		q.AddAfter("lost", time.Second)
		q.ShutDownWithDrain()
	})
}
