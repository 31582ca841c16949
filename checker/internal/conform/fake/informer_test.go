package fake_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ear is a handler that keeps what it hears.
type ear struct {
	mu    sync.Mutex // guards heard
	heard []string
}

func (e *ear) note(format string, args ...any) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = append(e.heard, fmt.Sprintf(format, args...))
}

func (e *ear) OnAdd(p *kit.Pod, initial bool) { e.note("add %s %t", p.Name, initial) }
func (e *ear) OnUpdate(old, p *kit.Pod) {
	e.note("update %s %s→%s", p.Name, old.ResourceVersion, p.ResourceVersion)
}
func (e *ear) OnDelete(p *kit.Pod, unknown bool) { e.note("delete %s %t", p.Name, unknown) }

func (e *ear) take() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	heard := e.heard
	e.heard = nil
	return heard
}

func TestAnInformerLags(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		pods.Put(pod("a"))
		i, e := fake.NewInformer(pods), &ear{}
		i.Handle(e)
		require.Empty(t, i.Cache.Items())
		i.Deliver(1)
		require.Equal(t, []string{"add a true"}, e.take(), "It begins with a list.")
		pods.Change("shop/a", func(p *kit.Pod) { p.Spec.Image = "web" })
		pods.Put(pod("b"))
		pods.Remove("shop/a")
		require.Len(t, i.Pending(), 3)
		require.Equal(t, "1", i.Cache.Version())
		i.Deliver(2)
		require.Equal(t, []string{"update a 1→2", "add b false"}, e.take())
		require.Equal(t, "3", i.Cache.Version())
		i.CatchUp()
		require.Equal(t, []string{"delete a false"}, e.take())
		require.Equal(t, []string{"shop/b"}, i.Cache.ListKeys())
	})
}

func TestAnInformerMissesEvents(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		i, e := fake.NewInformer(pods), &ear{}
		i.Handle(e)
		pods.Put(pod("a"))
		pods.Put(pod("b"))
		i.CatchUp()
		e.take()
		pods.Put(pod("lost"))
		i.Lose()
		i.CatchUp()
		require.Empty(t, e.take())
		pods.Remove("shop/lost")
		i.CatchUp()
		require.Empty(t, e.take(), "What the cache does not have cannot leave it.")

		pods.Remove("shop/a")
		pods.Remove("shop/b")
		pods.Put(pod("b"))
		i.Relist()
		require.Equal(t, []string{"update b 2→7", "delete a true"}, e.take())
		i.Break(func() { pods.Remove("shop/b") })
		pods.Put(pod("c"))
		i.Resync("shop/c")
		i.CatchUp()
		require.Equal(t, []string{"add c false", "delete b true", "update c 9→9"}, e.take())
	})
}

func TestAnInformerRuns(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		i, e := fake.NewInformer(pods), &ear{}
		i.Handle(e)
		i.Run()
		pods.Put(pod("a"))
		i.Drain()
		require.Equal(t, []string{"add a false"}, e.take())
		i.Hold()
		pods.Put(pod("b"))
		i.Resync("shop/a")
		t.Wait()
		require.Empty(t, e.take())
		i.Delay(func() time.Duration { return time.Second })
		i.Release()
		t.Wait()
		require.Empty(t, e.take())
		time.Sleep(time.Second)
		t.Wait()
		require.Equal(t, []string{"add b false"}, e.take())
		time.Sleep(time.Second)
		t.Wait()
		require.Equal(t, []string{"update a 1→1"}, e.take())
		i.Delay(nil)
		i.Break(func() { pods.Remove("shop/b") })
		i.Stop()
		pods.Put(pod("late"))
		t.Wait()
		require.NotContains(t, e.take(), "add late false")
	})
}

func TestACacheNoticesWrites(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		i := fake.NewInformer(pods)
		pods.Put(pod("a"))
		i.CatchUp()
		p, known := i.Cache.GetByKey("shop/a")
		require.True(t, known)
		require.Empty(t, i.Cache.Touched())
		p.Labels = map[string]string{"app": "web"}
		require.Equal(t, `the Pod shop/a: metadata.labels["app"]: missing → "web"`, i.Cache.Touched())
		require.Empty(t, pods.Now("shop/a").Labels, "The server does not share its objects with a cache.")
		require.Error(t, i.Cache.Delete(p))
		require.Error(t, i.Cache.Add(pod("mine")))
		require.Len(t, i.Cache.Items(), 1)
	})
}

func TestIndices(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		c := fake.NewCache(kit.Pods)
		byNode := map[string]kit.IndexFunc[*kit.Pod]{"node": func(p *kit.Pod) ([]string, error) { return []string{p.Spec.NodeName}, nil }}
		require.NoError(t, c.AddIndexers(byNode))
		require.Error(t, c.AddIndexers(byNode), "The name is taken.")
		for _, name := range []string{"a", "b", "c"} {
			p := pod(name)
			p.Spec.NodeName = "n"
			c.Store(p)
		}
		c.Drop("shop/b")
		looks := 0
		c.OnLook(func() { looks++ })
		keys, err := c.IndexKeys("node", "n")
		require.NoError(t, err)
		assert.ElementsMatch(t, []string{"shop/a", "shop/c"}, keys)
		p, _ := c.GetByKey("shop/a")
		same, err := c.Index("node", p)
		require.NoError(t, err)
		assert.Len(t, same, 2)
		assert.Equal(t, []string{"n"}, c.ListIndexFuncValues("node"))
		assert.Equal(t, 3, looks)
		_, err = c.ByIndex("zone", "n")
		assert.Error(t, err)
	})
}

func TestARecorderKeepsEvents(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		r, calls := fake.NewRecorder(t), 0
		r.Then(func() { calls++ })
		about := kit.ObjectReference{Kind: "Pod", Name: "a"}
		time.Sleep(time.Second)
		r.Eventf(about, kit.EventNormal, "Scheduled", "to %s", "n")
		r.Eventf(about, kit.EventNormal, "Scheduled", "to %s", "m")
		assert.Equal(t, map[string]int{"Normal Scheduled Pod/a": 2}, r.Counts())
		assert.Equal(t, fake.Note{About: about, Type: kit.EventNormal, Reason: "Scheduled", Message: "to n", At: time.Second}, r.Of("a")[0])
		assert.Empty(t, r.Of("b"))
		assert.Equal(t, 2, calls)
	})
}
