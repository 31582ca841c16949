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

// recorded is the history as one line for each event, after the events that were there before.
func recorded(t *conform.T, before int) []string {
	var lines []string
	for _, e := range t.History()[before:] {
		line := e.Who + ": " + e.What
		if e.Result != "" {
			line += " → " + e.Result
		}
		if e.Broke {
			line = "✗ " + line
		}
		lines = append(lines, line)
	}
	return lines
}

func TestAQueueIsRecorded(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		q := fake.NewWorkQueue(t, fake.Doubling[string](time.Second))
		urgent := 7
		q.AddWithOpts(kit.AddOpts{Priority: &urgent}, "a")
		_, _, _ = q.GetWithPriority()
		q.AddRateLimited("a")
		_ = q.NumRequeues("a")
		q.Done("a")
		q.Done("a")
		q.AddAfter("b", time.Minute)
		q.ShutDown()
		_, _ = q.Get()
		assert.Equal(t, []string{
			"queue: Add(a, priority 7)", "queue: Get() → a, priority 7", "queue: AddRateLimited(a) → comes after 1s",
			"queue: NumRequeues(a) → 1", "queue: Done(a)", "queue: Done(a)", "✗ queue: Done(a) was called, and nobody works on it",
			"queue: AddAfter(b, 1m0s)", "queue: ShutDown()", "queue: Get() → shut down",
		}, recorded(t, 0))
	})
}

func TestALimiterIsRecorded(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		l := fake.Doubling[string](time.Second).In(t)
		_ = l.When("a")
		_ = l.NumRequeues("a")
		l.Forget("a")
		assert.Equal(t, []string{"limiter: When(a) → 1s", "limiter: NumRequeues(a) → 1", "limiter: Forget(a)"}, recorded(t, 0))
	})
}

func TestLooksAtACacheAreRecorded(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		seen := fake.NewInformer(pods)
		pods.Put(pod("a"))
		seen.CatchUp()
		before := len(t.History())
		_, _ = seen.Cache.GetByKey("shop/a")
		_, _ = seen.Cache.GetByKey("shop/b")
		_ = seen.Cache.List()
		_ = seen.Cache.Version()
		_ = seen.Cache.Items()
		assert.Equal(t, []string{
			"pods cache: GetByKey(shop/a) → shop/a@1", "pods cache: GetByKey(shop/b) → not there",
			"pods cache: List() → [shop/a@1]", "pods cache: Version() → 1",
		}, recorded(t, before), "Items is for the case, and nobody hears of it.")
	})
}

func TestAWriteToTheCacheIsSeenWhenItIsSent(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		seen := fake.NewInformer(pods)
		pods.Put(pod("a"))
		seen.CatchUp()
		mine, _ := seen.Cache.GetByKey("shop/a")
		_, err := pods.Update(t.Context(), mine)
		require.NoError(t, err, "What is in the cache may be sent as it is.")
		before := len(t.History())
		mine.Spec.Image = "new"
		_, err = pods.Update(t.Context(), mine.DeepCopy())
		require.NoError(t, err)
		_, _ = pods.Update(t.Context(), mine)
		assert.Equal(t, []string{
			"server: update pods shop/a@1 → shop/a@2",
			`✗ pods cache: somebody has written to shop/a in the cache: spec.image: "" → "new"`,
			"server: update pods shop/a@1 → Conflict",
		}, recorded(t, before))
	})
}

func TestWatchEventsAreRecorded(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		w, err := pods.Watch(t.Context(), kit.ListOptions{ResourceVersion: "0"})
		require.NoError(t, err)
		pods.Put(pod("a"))
		<-w.ResultChan()
		pods.Put(pod("b"))
		t.Wait()
		w.Stop()
		t.Wait()
		assert.Equal(t, []string{
			`server: watch pods from "0" → a watch`, "cluster: pods shop/a@1 is created", "server: sends ADDED pods shop/a@1 to a watch",
			"cluster: pods shop/b@2 is created", "server: sends ADDED pods shop/b@2 to a watch → nobody has received it, and the watch ends",
		}, recorded(t, 0))
	})
}
