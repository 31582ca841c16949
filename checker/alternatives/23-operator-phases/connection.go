package operator

import (
	"bytes"
	"context"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// connect writes the connection, and says whether somebody else has its name.
func (r *DatabaseReconciler) connect(ctx context.Context, db *kit.Database, endpoint string, password []byte) (taken bool, err error) {
	want := map[string][]byte{EndpointKey: []byte(endpoint), PasswordKey: bytes.Clone(password)}
	cached, ok := r.o.SecretCache.GetByKey(db.Namespace + "/" + ConnectionName(db))
	if !ok {
		made := &kit.Secret{TypeMeta: kit.TypeMeta{APIVersion: "v1", Kind: "Secret"}, Data: want}
		made.Name, made.Namespace = ConnectionName(db), db.Namespace
		made.OwnerReferences = append(made.OwnerReferences, kit.OwnerReference{
			APIVersion: "book.example/v1", Kind: "Database", Name: db.Name, UID: db.UID, Controller: true,
		})
		_, err := r.o.Secrets.Create(ctx, made)
		return false, err
	}
	if ref := cached.ControllerOf(); ref == nil || ref.UID != db.UID {
		return true, nil
	}
	if maps.EqualFunc(cached.Data, want, bytes.Equal) {
		return false, nil
	}
	changed := cached.DeepCopy()
	changed.Data = want
	_, err = r.o.Secrets.Update(ctx, changed)
	return false, err
}
