//go:build ignore

// Mistake: The Secret is written as it would be created.
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
		_, err := r.options.Secrets.Create(ctx, newConnection(db, data))
		return outcome{err: err}
	case !controls(db, secret):
		return stuck(SecretTaken, "the Secret %s is somebody else's", secret.Name)
	case maps.EqualFunc(secret.Data, data, bytes.Equal):
		return outcome{}
	}
	version := secret.ResourceVersion
	secret = newConnection(db, data)
	secret.ResourceVersion = version
	_, err := r.options.Secrets.Update(ctx, secret)
	return outcome{err: err}
}
