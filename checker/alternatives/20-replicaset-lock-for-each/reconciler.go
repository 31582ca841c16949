package replicaset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// ReplicaSetReconciler keeps as many pods running as each ReplicaSet asks for. It
// starts no goroutine that outlives a call.
type ReplicaSetReconciler struct {
	o     Options
	exp   *Expectations
	own   owns
	index string
}

var _ kit.Reconciler = (*ReplicaSetReconciler)(nil)

var made atomic.Int64

// New returns a ReplicaSetReconciler. It may add indices to the caches, under names of
// its own; several reconcilers may be made over one cache, one after the other.
func New(o Options) *ReplicaSetReconciler {
	if o.Burst < 1 {
		o.Burst = BurstReplicas
	}
	if o.Recorder == nil {
		o.Recorder = kit.DiscardEvents{}
	}
	r := &ReplicaSetReconciler{o: o, exp: NewExpectations(), index: fmt.Sprint("replicaset-", made.Add(1))}
	err := o.PodCache.AddIndexers(map[string]kit.IndexFunc[*kit.Pod]{r.index: func(p *kit.Pod) ([]string, error) {
		if c := p.ControllerOf(); c != nil {
			return []string{"c/" + c.UID}, nil
		}
		return []string{"o/" + p.Namespace}, nil
	}})
	if err != nil {
		panic(err)
	}
	return r
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
	if rs, ok := r.o.ReplicaSetCache.GetByKey(key); ok {
		r.forgetOthers(key, rs.UID)
	}
	var pods, sets string
	if r.o.PodCacheVersion != nil {
		pods = r.o.PodCacheVersion()
	}
	if r.o.ReplicaSetCacheVersion != nil {
		sets = r.o.ReplicaSetCacheVersion()
	}
	if r.own.stale(key, pods, sets) {
		return kit.Result{}, fmt.Errorf("%s: %w (pods at %q, ReplicaSets at %q)", key, ErrStaleCache, pods, sets)
	}
	rs, ok := r.o.ReplicaSetCache.GetByKey(key)
	if !ok {
		r.exp.DeleteExpectations(key)
		r.own.drop(key)
		return kit.Result{}, nil
	}
	r.forgetOthers(key, rs.UID) // the cache may have gone on since the first look
	counts := r.exp.SatisfiedExpectations(key)
	mine, err := r.claim(ctx, rs)
	if err != nil {
		return kit.Result{}, fmt.Errorf("claim: %w", err)
	}
	var failed error
	if diff := len(mine) - rs.Spec.Replicas; counts && rs.DeletionTimestamp == nil {
		if diff < 0 {
			failed = r.more(ctx, key, rs, min(-diff, r.o.Burst))
		}
		if diff > 0 {
			failed = r.fewer(ctx, key, rs, PodsToDelete(mine, r.siblings(rs), min(diff, r.o.Burst)))
		}
	}
	again, err := r.report(ctx, rs, mine)
	if failed != nil || err != nil {
		return kit.Result{}, errors.Join(failed, err)
	}
	return kit.Result{RequeueAfter: again}, nil
}

func (r *ReplicaSetReconciler) forgetOthers(key, uid string) {
	if r.own.dropBut(key, uid) {
		r.exp.DeleteExpectations(key)
	}
}

var errTerminating = errors.New("the namespace is being deleted")

// more stops the batches at the first sign of a namespace that is being deleted.
func (r *ReplicaSetReconciler) more(ctx context.Context, key string, rs *kit.ReplicaSet, n int) error {
	r.exp.ExpectCreations(key, n)
	var begun atomic.Int64
	var refused atomic.Pointer[error]
	_, err := SlowStartBatch(n, SlowStartInitialBatchSize, func() error {
		begun.Add(1)
		p := kit.Pods.New()
		var t kit.PodTemplateSpec
		rs.Spec.Template.DeepCopyInto(&t)
		p.Labels, p.Annotations, p.Spec = maps.Clone(t.Labels), maps.Clone(t.Annotations), t.Spec
		p.Namespace, p.GenerateName, p.OwnerReferences = rs.Namespace, rs.Name+"-", []kit.OwnerReference{reference(rs)}
		got, err := r.o.Pods.Create(ctx, p)
		if err == nil {
			r.own.wrote(key, rs.UID, got.ResourceVersion, "")
			r.tell(rs, kit.EventNormal, SuccessfulCreate, got.Name)
			return nil
		}
		if IsNamespaceTerminating(err) {
			return errTerminating
		}
		r.exp.CreationObserved(key)
		r.tell(rs, kit.EventWarning, FailedCreate, err.Error())
		refused.Store(&err)
		return err
	})
	for i := int(begun.Load()); i < n; i++ {
		r.exp.CreationObserved(key)
	}
	if real := refused.Load(); real != nil {
		return *real
	}
	if errors.Is(err, errTerminating) {
		return nil
	}
	return err
}

func (r *ReplicaSetReconciler) fewer(ctx context.Context, key string, rs *kit.ReplicaSet, victims []*kit.Pod) error {
	var uids []string
	for _, p := range victims {
		uids = append(uids, p.UID)
	}
	r.exp.ExpectDeletions(key, uids)
	var failed atomic.Value
	var all sync.WaitGroup
	for _, p := range victims {
		all.Add(1)
		go func() {
			defer all.Done()
			_, err := r.o.Pods.Delete(ctx, p.Namespace, p.Name, kit.DeleteOptions{Preconditions: kit.Preconditions{UID: p.UID}})
			if err == nil {
				r.tell(rs, kit.EventNormal, SuccessfulDelete, p.Name)
				return
			}
			r.exp.DeletionObserved(key, p.UID)
			if kit.IsNotFound(err) {
				return
			}
			r.tell(rs, kit.EventWarning, FailedDelete, err.Error())
			failed.Store(&err)
		}()
	}
	all.Wait()
	if err, ok := failed.Load().(*error); ok {
		return fmt.Errorf("delete: %w", *err)
	}
	return nil
}

func (r *ReplicaSetReconciler) siblings(rs *kit.ReplicaSet) (related []*kit.Pod) {
	c := rs.ControllerOf()
	if c == nil {
		return r.pods("c/" + rs.UID)
	}
	for _, other := range r.o.ReplicaSetCache.List() {
		if oc := other.ControllerOf(); oc != nil && oc.UID == c.UID && other.Namespace == rs.Namespace {
			related = append(related, r.pods("c/"+other.UID)...)
		}
	}
	return related
}

func (r *ReplicaSetReconciler) tell(rs *kit.ReplicaSet, typ, reason, what string) {
	r.o.Recorder.Eventf(kit.ReferenceTo(kit.ReplicaSets, rs), typ, reason, "%s", what)
}
