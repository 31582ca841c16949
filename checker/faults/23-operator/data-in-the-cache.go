//go:build ignore

// Mistake: A copy of the struct is a copy of the Secret.
// Killed by: caches-stay-as-they-are
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
	copied := *secret
	secret = &copied
	for key, value := range data {
		secret.Data[key] = value
	}
	_, err := r.options.Secrets.Update(ctx, secret)
	return outcome{err: err}
}
