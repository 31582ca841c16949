package replicaset

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ReplicaSetReconciler keeps as many pods running as each ReplicaSet asks for. The
// stub's documentation is the contract.
//
// It has no lock of its own. What two Reconciles share, and what they share with the
// handlers, are the expectations and the written versions, and both have theirs.
type ReplicaSetReconciler struct {
	options      Options
	expectations *Expectations
	written      *written
}

var _ kit.Reconciler = (*ReplicaSetReconciler)(nil)

// New returns a ReplicaSetReconciler.
func New(options Options) *ReplicaSetReconciler {
	if options.Burst <= 0 {
		options.Burst = BurstReplicas
	}
	if options.Recorder == nil {
		options.Recorder = kit.DiscardEvents{}
	}
	addIndices(options)
	return &ReplicaSetReconciler{options: options, expectations: NewExpectations(), written: newWritten(options)}
}

// Reconcile brings one ReplicaSet nearer to what it asks for.
//
// The order of the lines is the point. SatisfiedExpectations happens before the pods are
// read. If it says yes, every creation of ours has been observed by a handler, and
// the cache was changed before the handler was called: so what is read afterwards holds
// them all. Read first and ask later, and the last of them may arrive in between. It then
// satisfies the expectations without being among the pods that are counted.
func (r *ReplicaSetReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	key := request.String()
	// This look says only for which ReplicaSet of the name the marks count. All else is read
	// when the versions of the caches have been asked for.
	if rs, exists := r.options.ReplicaSetCache.GetByKey(key); exists {
		r.written.succeed(rs)
	}
	if err := r.written.seen(key); err != nil {
		return kit.Result{}, err
	}
	rs, exists := r.options.ReplicaSetCache.GetByKey(key)
	if !exists {
		r.forget(key)
		return kit.Result{}, nil
	}
	satisfied := r.expectations.SatisfiedExpectations(key)
	replicas, err := r.claim(ctx, rs)
	if err != nil {
		return kit.Result{}, err
	}
	var managed error
	if satisfied && rs.DeletionTimestamp == nil {
		managed = r.manage(ctx, rs, replicas)
	}
	return r.report(ctx, rs, replicas, managed)
}

// forget drops what is known of a ReplicaSet that is gone, so that the next one of its
// name starts clean.
func (r *ReplicaSetReconciler) forget(key string) {
	r.expectations.DeleteExpectations(key)
	r.written.forget(key)
}

// report writes the status and says when to look again.
func (r *ReplicaSetReconciler) report(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod, managed error) (kit.Result, error) {
	now := time.Now() // one moment for both: a pod is counted now or waited for
	err := r.updateStatus(ctx, rs, statusOf(rs, replicas, now))
	if err = errors.Join(managed, err); err != nil {
		return kit.Result{}, err
	}
	wait := untilAvailable(rs, replicas, now)
	if wait > 0 { // the write has taken its time, perhaps all of this
		wait = max(wait-time.Since(now), 1)
	}
	return kit.Result{RequeueAfter: wait}, nil
}

// manage creates or deletes the difference.
func (r *ReplicaSetReconciler) manage(ctx context.Context, rs *kit.ReplicaSet, replicas []*kit.Pod) error {
	missing := rs.Spec.Replicas - len(replicas)
	switch {
	case missing > 0:
		return r.create(ctx, rs, min(missing, r.options.Burst))
	case missing < 0:
		return r.delete(ctx, rs, PodsToDelete(replicas, r.related(rs), min(-missing, r.options.Burst)))
	}
	return nil
}

// create expects n pods and then asks for them. Expecting them afterwards would be too
// late: the first may be heard of before its own request has returned.
func (r *ReplicaSetReconciler) create(ctx context.Context, rs *kit.ReplicaSet, n int) error {
	key := kit.Key(rs)
	r.expectations.ExpectCreations(key, n)
	created, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error { return r.createPod(ctx, rs) })
	for range n - created {
		r.expectations.CreationObserved(key) // no informer will ever report these
	}
	return err
}

// createPod returns nil for a namespace that is being deleted: the pod counts as created
// and is never observed, and so the expectation holds the controller back.
func (r *ReplicaSetReconciler) createPod(ctx context.Context, rs *kit.ReplicaSet) error {
	pod, err := r.options.Pods.Create(ctx, newPod(rs))
	switch {
	case IsNamespaceTerminating(err):
		return nil
	case err != nil:
		r.event(rs, kit.EventWarning, FailedCreate, "Error creating: %v", err)
		return err // not nil: it is what stops the next batch
	}
	r.written.pod(rs, pod)
	r.event(rs, kit.EventNormal, SuccessfulCreate, "Created pod: %s", pod.Name)
	return nil
}

func newPod(rs *kit.ReplicaSet) *kit.Pod {
	pod := kit.Pods.New()
	template := rs.DeepCopy().Spec.Template
	pod.Namespace, pod.GenerateName = rs.Namespace, rs.Name+"-"
	pod.Labels, pod.Annotations = template.Labels, template.Annotations
	pod.OwnerReferences = []kit.OwnerReference{controllerReference(rs)}
	pod.Spec = template.Spec
	return pod
}

// delete expects the pods to go, by UID, and then deletes them.
func (r *ReplicaSetReconciler) delete(ctx context.Context, rs *kit.ReplicaSet, doomed []*kit.Pod) error {
	uids := make([]string, len(doomed))
	for i, pod := range doomed {
		uids[i] = pod.UID
	}
	r.expectations.ExpectDeletions(kit.Key(rs), uids)
	failed := atOnce(len(doomed), func(i int) error { return r.deletePod(ctx, rs, doomed[i]) })
	return cmp.Or(failed...)
}

// deletePod deletes the pod that was chosen, and no other of its name.
func (r *ReplicaSetReconciler) deletePod(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	options := kit.DeleteOptions{Preconditions: kit.Preconditions{UID: pod.UID}}
	_, err := r.options.Pods.Delete(ctx, pod.Namespace, pod.Name, options)
	if err == nil {
		r.event(rs, kit.EventNormal, SuccessfulDelete, "Deleted pod: %s", pod.Name)
		return nil
	}
	r.expectations.DeletionObserved(kit.Key(rs), pod.UID) // by us: nobody else will
	if kit.IsNotFound(err) {
		return nil
	}
	r.event(rs, kit.EventWarning, FailedDelete, "Error deleting: %v", err)
	return err
}

func (r *ReplicaSetReconciler) event(rs *kit.ReplicaSet, eventType, reason, format string, args ...any) {
	r.options.Recorder.Eventf(kit.ReferenceTo(kit.ReplicaSets, rs), eventType, reason, format, args...)
}
