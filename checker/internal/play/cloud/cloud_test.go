package cloud

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/labs/kit"
)

var small = kit.CloudSpec{Engine: "postgres", Size: 10, PasswordVersion: "1"}

// states are how a database is, and how GetDatabase shows it.
func states(t *testing.T, c *Cloud) (is, shown string) {
	for _, held := range c.Holds() {
		is = string(held.State)
	}
	has, err := c.GetDatabase(t.Context(), "a")
	if code := kit.CloudCodeOf(err); code != "" {
		return is, string(code)
	}
	require.NoError(t, err)
	return is, string(has.State)
}

func TestALife(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New()
		see := func(wantIs, wantShown string) {
			t.Helper()
			is, shown := states(t, c)
			assert.Equal(t, []string{wantIs, wantShown}, []string{is, shown})
		}
		code := func(want kit.CloudCode, err error) {
			t.Helper()
			assert.Equal(t, want, kit.CloudCodeOf(err))
			time.Sleep(3 * time.Second) // longer than the lag, and nothing is throttled
		}
		code(kit.CloudNotFound, c.DeleteDatabase(t.Context(), "a"))
		code(kit.CloudInvalid, c.CreateDatabase(t.Context(), "a", "me", kit.CloudSpec{Size: MaxSize + 1}))
		require.NoError(t, c.CreateDatabase(t.Context(), "a", "me", small))
		see("creating", "NotFound")
		code(kit.CloudAlreadyExists, c.CreateDatabase(t.Context(), "a", "you", small))
		see("creating", "creating")
		code(kit.CloudBusy, c.DeleteDatabase(t.Context(), "a"))
		code(kit.CloudBusy, c.ModifyDatabase(t.Context(), "a", small))
		time.Sleep(creationTakes)
		see("available", "available")
		assert.Equal(t, "me", c.Holds()[0].Owner)
		assert.NotEmpty(t, c.Holds()[0].Endpoint)

		code(kit.CloudInvalid, c.ModifyDatabase(t.Context(), "a", kit.CloudSpec{Engine: "mysql", Size: 10}))
		code("", c.ModifyDatabase(t.Context(), "a", kit.CloudSpec{Engine: "postgres", Size: 20}))
		see("modifying", "modifying")
		assert.Equal(t, 20, c.Holds()[0].Size)
		assert.Positive(t, c.Holds()[0].Left)
		time.Sleep(modificationTakes)
		see("available", "available")
		assert.Zero(t, c.Holds()[0].Left)

		require.NoError(t, c.DeleteDatabase(t.Context(), "a"))
		see("deleting", "available")
		code("", c.DeleteDatabase(t.Context(), "a"))
		time.Sleep(deletionTakes)
		see("", "NotFound")
		require.NoError(t, c.CreateDatabase(t.Context(), "a", "you", small))
		see("creating", "NotFound")
	})
}

func TestTooManyCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New()
		throttled := 0
		for range 40 { // five a second, where two are allowed
			_, err := c.GetDatabase(t.Context(), "a")
			var refused *kit.CloudError
			require.ErrorAs(t, err, &refused)
			if refused.Code == kit.CloudThrottled {
				throttled++
				assert.Equal(t, retryAfter, refused.RetryAfter)
			}
		}
		assert.InDelta(t, 40-burst-40*2*onTheWay/perCall, throttled, 1)
		assert.Equal(t, throttled, c.Report().Throttled)
		time.Sleep(time.Minute)
		_, err := c.GetDatabase(t.Context(), "a")
		assert.Equal(t, kit.CloudNotFound, kit.CloudCodeOf(err))
	})
}

func TestDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New()
		go func() {
			time.Sleep(onTheWay + onTheWay/2) // it has been carried out, and the answer is on its way
			assert.True(t, c.Toggle())
		}()
		err := c.CreateDatabase(t.Context(), "a", "me", small)
		assert.Equal(t, kit.CloudTimeout, kit.CloudCodeOf(err))
		require.Len(t, c.Holds(), 1, "what was asked is done, and the answer is lost")
		_, err = c.GetDatabase(t.Context(), "a")
		assert.Equal(t, kit.CloudUnavailable, kit.CloudCodeOf(err))
		time.Sleep(creationTakes + lag)
		assert.Equal(t, kit.CloudAvailable, c.Holds()[0].State, "work goes on")
		assert.False(t, c.Toggle())
		_, shown := states(t, c)
		assert.Equal(t, "available", shown)

		r := c.Report()
		assert.Equal(t, 3, r.Calls)
		assert.Equal(t, "GetDatabase", r.Last[0].Verb)
		assert.Equal(t, Call{At: r.Last[2].At, Verb: "CreateDatabase", Name: "a", Answer: "Timeout", Refused: true}, r.Last[2])
	})
}

func TestACallerWhoGoes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := New()
		ctx, cancel := context.WithTimeout(t.Context(), onTheWay+onTheWay/2)
		defer cancel()
		assert.ErrorIs(t, c.CreateDatabase(ctx, "a", "me", small), context.DeadlineExceeded)
		assert.Len(t, c.Holds(), 1, "it was killed before the answer, and after the work was begun")
		assert.Equal(t, "the caller has gone", c.Report().Last[0].Answer)
	})
}
