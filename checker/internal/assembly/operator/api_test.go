package operator

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func TestStatusIsASubresource(t *testing.T) {
	ctx, api := context.Background(), NewAPI()
	db := kit.Databases.New()
	db.Namespace, db.Name = "default", "pg"
	made, err := api.Databases.Create(ctx, db)
	require.NoError(t, err)

	change := made.DeepCopy()
	change.Spec.Size, change.Status.Endpoint = 20, "mine"
	spec, err := api.Databases.Update(ctx, change)
	require.NoError(t, err)
	assert.Equal(t, 20, spec.Spec.Size)
	assert.Empty(t, spec.Status.Endpoint, "an Update leaves the status as it is")
	assert.Equal(t, made.Generation+1, spec.Generation)

	_, err = api.Status.UpdateStatus(ctx, change)
	assert.True(t, kit.IsConflict(err), "somebody has written since: %v", err)
	_, err = api.Databases.Update(ctx, change)
	assert.True(t, kit.IsConflict(err), "somebody has written since: %v", err)

	report := spec.DeepCopy()
	report.Spec.Size, report.Finalizers, report.Status.Endpoint = 30, []string{"x"}, "there"
	status, err := api.Status.UpdateStatus(ctx, report)
	require.NoError(t, err)
	assert.Equal(t, 20, status.Spec.Size, "of an UpdateStatus nothing but the status counts")
	assert.Empty(t, status.Finalizers)
	assert.Equal(t, "there", status.Status.Endpoint)
	assert.Equal(t, spec.Generation, status.Generation)

	report.Name = "gone"
	_, err = api.Status.UpdateStatus(ctx, report)
	assert.True(t, kit.IsNotFound(err))
}
