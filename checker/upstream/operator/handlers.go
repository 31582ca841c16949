package operator

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
)

// byPassword is an index of Databases: by the name of the Secret that they have their password
// from. The cache puts the namespace before it.
const byPassword = "spec.passwordSecret"

// SetupWithManager says what wakes the reconciler. The options are those of main.
func (r *DatabaseReconciler) SetupWithManager(ctx context.Context, mgr ctrl.Manager, options controller.Options) error {
	err := mgr.GetFieldIndexer().IndexField(ctx, &Database{}, byPassword, func(db client.Object) []string {
		return []string{db.(*Database).Spec.PasswordSecret}
	})
	if err != nil {
		return err
	}
	changed := builder.WithPredicates(predicate.ResourceVersionChangedPredicate{})
	return ctrl.NewControllerManagedBy(mgr).
		For(&Database{}, builder.WithPredicates(noEcho)).
		Owns(&corev1.Secret{}, changed).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(r.usersOf), changed).
		WithOptions(options).
		Complete(r)
}

// noEcho lets through all but an update that is nothing but a status that was written. A
// deletion has another generation; a resync has the resource version that it had.
var noEcho = predicate.Or(
	predicate.GenerationChangedPredicate{},
	predicate.Not[client.Object](predicate.ResourceVersionChangedPredicate{}),
	predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetUID() != e.ObjectNew.GetUID() ||
			!slices.Equal(e.ObjectOld.GetFinalizers(), e.ObjectNew.GetFinalizers())
	}},
)

// usersOf are the Databases that have their password from a Secret.
func (r *DatabaseReconciler) usersOf(ctx context.Context, secret client.Object) (requests []ctrl.Request) {
	users := &DatabaseList{}
	err := r.List(ctx, users, client.InNamespace(secret.GetNamespace()), client.MatchingFields{byPassword: secret.GetName()})
	if err != nil {
		ctrl.LoggerFrom(ctx).Error(err, "no Database can be woken", "secret", client.ObjectKeyFromObject(secret))
	}
	for i := range users.Items {
		requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&users.Items[i])})
	}
	return requests
}
