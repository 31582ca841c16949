package operator

import (
	"context"
	"errors"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
)

var errSecretTaken = errors.New("the Secret is somebody else's")

// connect sees to it that the Secret with the connection is there and says what it should.
// SetControllerReference is only for a Secret that is new: it goes by the owner's name and not
// by its UID, and one without a controller would become ours.
func (r *DatabaseReconciler) connect(ctx context.Context, db *Database, endpoint, password string) outcome {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: db.Namespace, Name: ConnectionName(db)}}
	_, err := controllerutil.CreateOrUpdate(ctx, r.Client, secret, func() error {
		secret.Data = map[string][]byte{EndpointKey: []byte(endpoint), PasswordKey: []byte(password)}
		if secret.UID == "" {
			return controllerutil.SetControllerReference(db, secret, r.Scheme())
		}
		if !metav1.IsControlledBy(secret, db) {
			return errSecretTaken
		}
		return nil
	})
	if errors.Is(err, errSecretTaken) {
		return stuck(SecretTaken, "the Secret %s is somebody else's", secret.Name)
	}
	return outcome{err: err}
}
