package main

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/play"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func TestWhenADatabaseIsLookedAtAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := &rental{}
		request := kit.Request{Namespace: namespace, Name: "pg-1"}
		assert.Equal(t, "down", r.nextLook(request))
		r.begin(func() {})
		assert.Equal(t, "-", r.nextLook(request))
		var result kit.Result
		var err error
		own := r.around(kit.ReconcilerFunc(func(context.Context, kit.Request) (kit.Result, error) {
			assert.Equal(t, "now", r.nextLook(request))
			if result.Requeue {
				panic("a mistake")
			}
			return result, err
		}))
		looksAgain := func(want string) {
			t.Helper()
			_, _ = own.Reconcile(t.Context(), request)
			assert.Equal(t, want, r.nextLook(request))
		}
		looksAgain("-")
		result.RequeueAfter = 3 * time.Second
		looksAgain("in 3s")
		time.Sleep(3 * time.Second)
		assert.Equal(t, "due", r.nextLook(request))
		err = errors.New("no")
		looksAgain("retry 1")
		looksAgain("retry 2")
		err = nil
		looksAgain("in 3s")
		result.Requeue = true
		assert.Panics(t, func() { looksAgain("") })
		assert.Equal(t, "retry 1", r.nextLook(request), "the controller makes an error of it")
		r.begin(func() {})
		assert.Equal(t, "-", r.nextLook(request), "the next life knows nothing of the last")
	})
}

// TestOneLife has the references make, change and delete a database, in virtual time.
func TestOneLife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		c := start(ctx, true)
		shows := func(want play.Database) {
			t.Helper()
			time.Sleep(time.Second)
			s := c.Snapshot()
			require.Len(t, s.Databases, 1)
			want.Next, want.Rented.Left = s.Databases[0].Next, s.Databases[0].Rented.Left
			assert.Equal(t, want, s.Databases[0])
		}
		time.Sleep(time.Second)
		assert.Empty(t, c.Snapshot().Databases)
		c.Do(play.MakeDatabase)
		db := play.Database{
			Name: "pg-1", Size: 10, Finalizer: true, Ready: play.Condition{Set: true, Reason: "Creating"},
			Synced: play.Condition{Set: true, Holds: true, Reason: "InSync"}, Rented: play.Rented{State: "creating", Size: 10},
		}
		shows(db)
		time.Sleep(20 * time.Second)
		db.Ready, db.Rented.State = play.Condition{Set: true, Holds: true, Reason: "Available"}, "available"
		shows(db)
		c.Do(play.GrowDatabase)
		db.Size, db.Rented.Size, db.Rented.State = 20, 20, "modifying"
		shows(db)
		c.Do(play.ToggleCloud)
		c.Do(play.DeleteDatabase)
		time.Sleep(10 * time.Second)
		db.Ready = play.Condition{Set: true, Reason: "Deleting"}
		db.Synced, db.Rented.State = play.Condition{Set: true, Reason: "CloudError"}, "available"
		shows(db)
		assert.True(t, c.Snapshot().Cloud.Down)
		c.Do(play.KillController)
		c.Do(play.ToggleCloud)
		time.Sleep(time.Minute)
		assert.Empty(t, c.Snapshot().Databases)
		assert.Equal(t, "NotFound", c.Snapshot().Cloud.Last[0].Answer)
		cancel()
		require.NoError(t, c.ended(patience))
	})
}
