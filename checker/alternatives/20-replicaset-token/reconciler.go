package replicaset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ReplicaSetReconciler keeps as many pods running as each ReplicaSet asks for. It
// starts no goroutine that outlives a call.
type ReplicaSetReconciler struct {
	Options
	expectations *Expectations
	writes       ownWrites
}

var _ kit.Reconciler = (*ReplicaSetReconciler)(nil)

// New returns a ReplicaSetReconciler. It may add indices to the caches, under names of
// its own; several reconcilers may be made over one cache, one after the other.
func New(options Options) *ReplicaSetReconciler {
	if options.Burst <= 0 {
		options.Burst = BurstReplicas
	}
	if options.Recorder == nil {
		options.Recorder = kit.DiscardEvents{}
	}
	return &ReplicaSetReconciler{
		Options:      options,
		expectations: NewExpectations(),
		writes:       ownWrites{byKey: map[string]*written{}},
	}
}

// Reconcile brings one ReplicaSet nearer to what it asks for. It is never called twice
// at once for one request, but may be called at once for different requests. It reads
// from the caches, except where claim.go and status.go say otherwise. In this order:
//
//  1. If it knows a cache to be older than its own writes (stale.go), it returns
//     ErrStaleCache, wrapped or not, and does nothing.
//  2. A ReplicaSet that ReplicaSetCache does not have is gone. Its expectations are
//     deleted, and that is no error.
//  3. It asks its expectations whether they are satisfied, before it looks at any pod.
//     In the other order, pods that arrive in between satisfy them and are not counted.
//  4. It claims pods (claim.go). These are its replicas. With an error it stops here and
//     returns it: nothing is created or deleted.
//  5. If the expectations were satisfied and the ReplicaSet is not being deleted, and
//     the replicas are too few or too many, it creates or deletes the difference, but at
//     most Burst. It calls the Expect method before the first request goes out.
//  6. It writes the status (status.go): also if it has done nothing in 5, and also
//     if 5 has failed.
//  7. It returns an error if 5 or 6 failed. Otherwise, if a replica is ready and not
//     available yet (status.go), Result.RequeueAfter is greater than zero, and no longer
//     than until the next of them will be available.
//
// Creating goes through SlowStartBatch, and begins with SlowStartInitialBatchSize. A pod
// has the template's labels, annotations and spec; a GenerateName, which is the name of
// the ReplicaSet and "-"; and one owner reference, to the ReplicaSet, which is its
// controller. Creations that fail or are skipped are no longer expected, and an error of
// one of them is returned. One failure does not count as one: in a namespace that is being
// deleted (IsNamespaceTerminating) no pod will ever appear. That is no error and no event,
// and the creation stays expected: only this keeps the controller from trying again at
// once. Whether the batches go on then is left open.
//
// Deleting takes the pods that PodsToDelete chooses, all at the same time. The related pods are
// those of all ReplicaSets that have the same controller as this one. Where it has no
// controller its own pods may be counted as related, or none. A deletion that fails is
// no longer expected, and the error of one of them is returned. That a pod is NotFound
// is no error: somebody else was faster.
//
// Each pod created or deleted is a Normal event about the ReplicaSet, and each that
// failed a Warning, with the reasons of options.go. A deletion that finds its pod gone
// (NotFound) is no event.
func (r *ReplicaSetReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	key := request.String()
	if rs, exists := r.ReplicaSetCache.GetByKey(key); exists {
		r.forgetOthers(key, rs.UID)
	}
	if r.cachesAreBehind(key) {
		return kit.Result{RequeueAfter: time.Second}, fmt.Errorf("%s waits: %w", key, ErrStaleCache)
	}
	rs, exists := r.ReplicaSetCache.GetByKey(key)
	if !exists {
		r.forget(key)
		return kit.Result{}, nil
	}
	r.forgetOthers(key, rs.UID)

	satisfied := r.expectations.SatisfiedExpectations(key)
	replicas, err := r.claim(ctx, rs)
	if err != nil {
		return kit.Result{}, err
	}
	if satisfied && rs.DeletionTimestamp == nil {
		err = r.manage(ctx, key, rs, replicas)
	}
	now := time.Now()
	status, next := statusOf(rs, replicas)
	if err := errors.Join(err, r.writeStatus(ctx, key, rs, status)); err != nil {
		return kit.Result{}, err
	}
	if next > 0 {
		next = min(max(next-time.Since(now), 1), time.Second)
	}
	return kit.Result{RequeueAfter: next}, nil
}

// manage creates what is missing or deletes what is too much.
func (r *ReplicaSetReconciler) manage(ctx context.Context, key string, rs *kit.ReplicaSet, replicas []*kit.Pod) error {
	missing := rs.Spec.Replicas - len(replicas)
	switch {
	case missing > 0:
		return r.create(ctx, key, rs, min(missing, r.Burst))
	case missing < 0:
		return r.delete(ctx, key, rs, PodsToDelete(replicas, r.related(rs), min(-missing, r.Burst)))
	}
	return nil
}

func (r *ReplicaSetReconciler) create(ctx context.Context, key string, rs *kit.ReplicaSet, count int) error {
	about := kit.ReferenceTo(kit.ReplicaSets, rs)
	r.expectations.ExpectCreations(key, count)
	created, err := SlowStartBatch(count, SlowStartInitialBatchSize, func() error {
		pod, err := r.Pods.Create(ctx, newPod(rs))
		switch {
		case err == nil:
			r.writes.pod(key, rs.UID, pod.ResourceVersion)
			r.Recorder.Eventf(about, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
		case IsNamespaceTerminating(err):
			return nil // and it stays expected
		default:
			r.Recorder.Eventf(about, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		}
		return err
	})
	for range count - created {
		r.expectations.CreationObserved(key)
	}
	return err
}

func (r *ReplicaSetReconciler) delete(ctx context.Context, key string, rs *kit.ReplicaSet, pods []*kit.Pod) error {
	about := kit.ReferenceTo(kit.ReplicaSets, rs)
	uids := make([]string, len(pods))
	for i, pod := range pods {
		uids[i] = pod.UID
	}
	r.expectations.ExpectDeletions(key, uids)

	errs := make(chan error, len(pods))
	var all sync.WaitGroup
	for _, pod := range pods {
		all.Go(func() {
			_, err := r.Pods.Delete(ctx, pod.Namespace, pod.Name, kit.DeleteOptions{})
			if err == nil {
				r.Recorder.Eventf(about, kit.EventNormal, SuccessfulDelete, "Deleted pod: %s", pod.Name)
				return
			}
			r.expectations.DeletionObserved(key, pod.UID)
			if !kit.IsNotFound(err) {
				r.Recorder.Eventf(about, kit.EventWarning, FailedDelete, "Error deleting: %v", err)
				errs <- err
			}
		})
	}
	all.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

// related are the pods of all ReplicaSets that have the same controller as rs.
func (r *ReplicaSetReconciler) related(rs *kit.ReplicaSet) []*kit.Pod {
	ref := rs.ControllerOf()
	if ref == nil {
		return nil
	}
	siblings := map[string]bool{}
	for _, other := range r.ReplicaSetCache.List() {
		if c := other.ControllerOf(); other.Namespace == rs.Namespace && c != nil && c.UID == ref.UID {
			siblings[other.UID] = true
		}
	}
	var related []*kit.Pod
	for _, pod := range r.PodCache.List() {
		if c := pod.ControllerOf(); pod.Namespace == rs.Namespace && c != nil && siblings[c.UID] {
			related = append(related, pod)
		}
	}
	return related
}

func newPod(rs *kit.ReplicaSet) *kit.Pod {
	pod := kit.Pods.New()
	pod.Namespace = rs.Namespace
	pod.GenerateName = rs.Name + "-"
	pod.Labels = maps.Clone(rs.Spec.Template.Labels)
	pod.Annotations = maps.Clone(rs.Spec.Template.Annotations)
	pod.OwnerReferences = []kit.OwnerReference{controllerRef(rs)}
	rs.Spec.Template.Spec.DeepCopyInto(&pod.Spec)
	return pod
}

func controllerRef(rs *kit.ReplicaSet) kit.OwnerReference {
	return kit.OwnerReference{
		APIVersion: kit.ReplicaSets.APIVersion,
		Kind:       kit.ReplicaSets.Kind,
		Name:       rs.Name,
		UID:        rs.UID,
		Controller: true,
	}
}

// forget forgets all that is known of the ReplicaSet of that name: it is gone.
func (r *ReplicaSetReconciler) forget(key string) {
	r.writes.forget(key)
	r.expectations.DeleteExpectations(key)
}

// forgetOthers forgets what is known of another ReplicaSet of that name.
func (r *ReplicaSetReconciler) forgetOthers(key, uid string) {
	if r.writes.takeOver(key, uid) {
		r.expectations.DeleteExpectations(key)
	}
}
