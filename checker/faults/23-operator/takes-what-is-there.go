//go:build ignore

// Mistake: The Secret is there already, so it is overwritten.
// Killed by: connection-is-owned
// Verdict: wrong-answer

package operator

import (
	"bytes"
	"context"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (r *DatabaseReconciler) connect(ctx context.Context, db *kit.Database, endpoint, password string) outcome {
	data := map[string][]byte{EndpointKey: []byte(endpoint), PasswordKey: []byte(password)}
	secret, exists := r.options.SecretCache.GetByKey(db.Namespace + "/" + ConnectionName(db))
	switch {
	case !exists:
		secret, err := r.options.Secrets.Create(ctx, newConnection(db, data))
		if kit.IsAlreadyExists(err) {
			secret, err = r.options.Secrets.Get(ctx, db.Namespace, ConnectionName(db))
			if err == nil {
				secret.Data = data
				_, err = r.options.Secrets.Update(ctx, secret)
			}
		}
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
