package operator

import (
	"bytes"
	"context"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// connect sees to it that the Secret with the connection is there and says what it should.
func (r *DatabaseReconciler) connect(ctx context.Context, db *kit.Database, endpoint, password string) outcome {
	data := map[string][]byte{EndpointKey: []byte(endpoint), PasswordKey: []byte(password)}
	secret, exists := r.options.SecretCache.GetByKey(db.Namespace + "/" + ConnectionName(db))
	switch {
	case !exists:
		_, err := r.options.Secrets.Create(ctx, newConnection(db, data))
		return outcome{err: err}
	case !controls(db, secret):
		return stuck(SecretTaken, "the Secret %s is somebody else's", secret.Name)
	case maps.EqualFunc(secret.Data, data, bytes.Equal):
		return outcome{}
	}
	secret = secret.DeepCopy()
	secret.Data = data
	_, err := r.options.Secrets.Update(ctx, secret)
	return outcome{err: err}
}

func newConnection(db *kit.Database, data map[string][]byte) *kit.Secret {
	secret := kit.Secrets.New()
	secret.Namespace, secret.Name, secret.Data = db.Namespace, ConnectionName(db), data
	secret.OwnerReferences = []kit.OwnerReference{{
		APIVersion: kit.Databases.APIVersion, Kind: kit.Databases.Kind,
		Name: db.Name, UID: db.UID, Controller: true,
	}}
	return secret
}

// controls goes by the UID: a Database that was deleted and made again has the name of the
// old one, whose Secret the garbage collector is about to delete.
func controls(db *kit.Database, secret *kit.Secret) bool {
	owner := secret.ControllerOf()
	return owner != nil && owner.UID == db.UID
}
