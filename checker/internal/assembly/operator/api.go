package operator

import (
	"context"

	"github.com/controllerbook/controllerbook/checker/internal/assembly/parts"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// API is what an API server has for an operator.
type API struct {
	Databases parts.Resource[*kit.Database]
	Status    kit.StatusClient[*kit.Database]
	Secrets   parts.Resource[*kit.Secret]
}

// NewAPI makes an empty API server of labs 07 and 08.
func NewAPI() API {
	dbs := withStatus{parts.NewDatabases(0, nil)}
	return API{Databases: dbs, Status: dbs, Secrets: parts.NewSecrets(0, nil)}
}

// withStatus makes the status of Databases a subresource, which lab 07 does not know.
//
// Both writes take half of the object from what is stored and send it with the caller's
// resource version. If somebody writes between the two, that version is no longer the
// stored one, and the answer is the Conflict that it should be: no lock is needed.
type withStatus struct{ parts.Resource[*kit.Database] }

// Update replaces all but the status.
func (w withStatus) Update(ctx context.Context, db *kit.Database) (*kit.Database, error) {
	stored, err := w.Get(ctx, db.Namespace, db.Name)
	if err != nil {
		return nil, err
	}
	next := db.DeepCopy()
	next.Status = stored.Status
	return w.Resource.Update(ctx, next)
}

// UpdateStatus replaces nothing but the status.
func (w withStatus) UpdateStatus(ctx context.Context, db *kit.Database) (*kit.Database, error) {
	next, err := w.Get(ctx, db.Namespace, db.Name)
	if err != nil {
		return nil, err
	}
	next.Status = db.DeepCopy().Status
	next.UID, next.ResourceVersion = db.UID, db.ResourceVersion
	return w.Resource.Update(ctx, next)
}
