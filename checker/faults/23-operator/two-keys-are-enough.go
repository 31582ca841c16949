//go:build ignore

// Mistake: The two keys are right, and so the Secret is.
// Killed by: connection-is-owned
// Verdict: wrong-answer

package operator

import (
	"bytes"
	"context"

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
	case bytes.Equal(secret.Data[EndpointKey], data[EndpointKey]) && bytes.Equal(secret.Data[PasswordKey], data[PasswordKey]):
		return outcome{}
	}
	secret = secret.DeepCopy()
	secret.Data = data
	_, err := r.options.Secrets.Update(ctx, secret)
	return outcome{err: err}
}
