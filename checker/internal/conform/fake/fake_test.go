package fake_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// newServer is a server at version 0: these tests are about the numbers.
func newServer(t *conform.T) *fake.Server {
	s := fake.NewServer(t)
	s.SkipTo(0)
	return s
}

// scenario runs a test as a case runs: in a bubble, with a T.
func scenario(tb *testing.T, f func(t *conform.T)) {
	check := func(t *conform.T, _ func() any) { t.Virtual(f) }
	conform.Run(tb, []conform.Case[any]{{Name: "scenario", Check: check}}, func() any { return nil })
}

func pod(name string) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name = "shop", name
	return p
}

var errBoom = errors.New("boom")

func TestAServerKeepsVersions(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		ctx := t.Context()
		server := newServer(t)
		pods, nodes := fake.Serve(server, kit.Pods), fake.Serve(server, kit.Nodes)
		p, err := pods.Create(ctx, pod("a"))
		require.NoError(t, err)
		assert.Equal(t, []any{"1", "uid-1", int64(1)}, []any{p.ResourceVersion, p.UID, p.Generation})
		n := nodes.Put(&kit.Node{ObjectMeta: kit.ObjectMeta{Name: "n"}})
		assert.Equal(t, "2", n.ResourceVersion, "There is one count for all resources.")
		_, err = pods.Create(ctx, pod("a"))
		assert.True(t, kit.IsAlreadyExists(err))
		same, err := pods.Update(ctx, p)
		require.NoError(t, err)
		assert.Equal(t, "1", same.ResourceVersion, "An update that changes nothing is no write.")
		p.Spec.Image = "web:2"
		changed, err := pods.Update(ctx, p)
		require.NoError(t, err)
		assert.Equal(t, []any{"3", int64(2)}, []any{changed.ResourceVersion, changed.Generation})
		_, err = pods.Update(ctx, p)
		assert.True(t, kit.IsConflict(err))
		changed.Spec.Image = "scribbled over"
		assert.Equal(t, "web:2", pods.Now("shop/a").Spec.Image, "A client owns what it was given.")
		assert.Equal(t, []int{2, 1}, []int{pods.Changes(), nodes.Changes()})
		p.ResourceVersion = ""
		_, err = pods.Update(ctx, p)
		assert.True(t, kit.IsInvalid(err))
		pods.Unconditional = true
		_, err = pods.Update(ctx, p)
		assert.NoError(t, err)
	})
}

func TestACreateIsShownWithTheNameThatItWillGet(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		pods.Show = func(p *kit.Pod) string { return p.Name + "{" + p.Spec.NodeName + "}" }
		p := pod("")
		p.GenerateName = "web-"
		_, err := pods.Create(t.Context(), p)
		require.NoError(t, err)
		events := t.History()
		require.Contains(t, events[len(events)-1].What, "web-…{}")
		require.Empty(t, p.Name, "the caller's object is as it was")
	})
}

func TestAServerDeletes(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		ctx := t.Context()
		pods := fake.Serve(newServer(t), kit.Pods)
		kept := pod("kept")
		kept.Finalizers = []string{"mine"}
		pods.Put(kept)
		marked, err := pods.Delete(ctx, "shop", "kept", kit.DeleteOptions{})
		require.NoError(t, err)
		require.NotNil(t, marked.DeletionTimestamp, "A finalizer keeps an object.")
		marked.Finalizers = []string{"mine", "another"}
		_, err = pods.Update(ctx, marked)
		assert.True(t, kit.IsInvalid(err), "No finalizer is added to an object that is being deleted.")
		marked.Finalizers = nil
		_, err = pods.Update(ctx, marked)
		require.NoError(t, err)
		require.Nil(t, pods.Now("shop/kept"), "The last finalizer is gone, and with it the object.")

		old := pods.Put(pod("a"))
		_, err = pods.Delete(ctx, "shop", "a", kit.DeleteOptions{Preconditions: kit.Preconditions{UID: "another"}})
		assert.True(t, kit.IsConflict(err))
		_, err = pods.Delete(ctx, "shop", "a", kit.DeleteOptions{Preconditions: kit.Preconditions{UID: old.UID}})
		require.NoError(t, err)
		_, err = pods.Get(ctx, "shop", "a")
		assert.True(t, kit.IsNotFound(err))

		pods.Graceful = true
		pods.Put(pod("b"))
		pods.Drop("shop/b")
		require.NotNil(t, pods.Now("shop/b").DeletionTimestamp)
		pods.Remove("shop/b")
		require.Empty(t, pods.All())
	})
}

func TestInterceptors(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		server := newServer(t)
		pods := fake.Serve(server, kit.Pods)
		pods.Intercept(fake.Slow(time.Second), fake.Refuse(errBoom, fake.Create))
		_, err := pods.Create(t.Context(), pod("a"))
		require.ErrorIs(t, err, errBoom)
		require.Equal(t, time.Second, t.Elapsed())
		require.Nil(t, pods.Now("shop/a"))

		ctx, cancel := context.WithTimeout(t.Context(), time.Second/2)
		defer cancel()
		_, err = pods.List(ctx, kit.ListOptions{})
		require.ErrorIs(t, err, context.DeadlineExceeded)

		pods.Intercept(func(_ context.Context, q *fake.Request, next func() error) error {
			require.NoError(t, next())
			require.Equal(t, "shop/a", q.Key)
			require.Equal(t, "2", q.Answer.GetResourceVersion())
			return errBoom // the answer is lost
		})
		server.SkipTo(1)
		_, err = pods.Create(t.Context(), pod("a"))
		require.ErrorIs(t, err, errBoom)
		require.NotNil(t, pods.Now("shop/a"), "The answer was lost, and not the request.")

		all := pods.Requests()
		require.Len(t, all, 3)
		assert.Equal(t, []any{fake.Create, "shop/a", time.Duration(0), errBoom, true}, []any{all[0].Verb, all[0].Key, all[0].At, all[0].Err, all[0].Answered})
		assert.Len(t, pods.Requests(fake.List, fake.Get), 1)
		server.Forget()
		assert.Empty(t, server.Requests())
	})
}

func TestARequestUnderWayIsInTheJournal(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		pods.Put(pod("a"))
		pods.Intercept(fake.Slow(time.Second))
		t.Go("client", func(*conform.Actor) { _, _ = pods.Get(t.Context(), "shop", "a") })
		t.Wait()
		require.False(t, pods.Requests(fake.Get)[0].Answered)
		t.Join()
		require.True(t, pods.Requests(fake.Get)[0].Answered)
	})
}

func TestOnChange(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		var heard []string
		pods.OnChange(func(e kit.Event[*kit.Pod], standing []*kit.Pod) {
			heard = append(heard, string(e.Type)+" "+e.Object.Name+" of "+string(rune('0'+len(standing))))
		})
		pods.Put(pod("a"))
		pods.Put(pod("b"))
		pods.Change("shop/a", func(p *kit.Pod) { p.Spec.Image = "web" })
		pods.Remove("shop/a")
		require.Equal(t, []string{"ADDED a of 1", "ADDED b of 2", "MODIFIED a of 2", "DELETED a of 1"}, heard)
	})
}

func TestAWatch(tb *testing.T) {
	scenario(tb, func(t *conform.T) {
		pods := fake.Serve(newServer(t), kit.Pods)
		pods.Put(pod("a"))
		list, err := pods.List(t.Context(), kit.ListOptions{})
		require.NoError(t, err)
		w, err := pods.Watch(t.Context(), kit.ListOptions{ResourceVersion: list.ResourceVersion})
		require.NoError(t, err)
		pods.Put(pod("b"))
		pods.Remove("shop/a")
		added, deleted := <-w.ResultChan(), <-w.ResultChan()
		assert.Equal(t, []any{kit.Added, "b", kit.Deleted, "a"}, []any{added.Type, added.Object.Name, deleted.Type, deleted.Object.Name})
		pods.EndWatches()
		_, open := <-w.ResultChan()
		assert.False(t, open)
		w, err = pods.Watch(t.Context(), kit.ListOptions{ResourceVersion: "3"})
		require.NoError(t, err)
		w.Stop()
		w.Stop()
		_, open = <-w.ResultChan()
		assert.False(t, open)
	})
}
