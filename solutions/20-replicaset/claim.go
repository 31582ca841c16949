package replicaset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// The indices of this controller. Without the first, each Reconcile would go through
// all pods of the cluster.
const (
	podsByOwner     = "replicaset.controllerbook/owner"     // of pods: namespace/UID of the controller, or namespace/
	setsByNamespace = "replicaset.controllerbook/namespace" // of ReplicaSets
)

// addIndices ignores errors: that an index stands already is what a second reconciler
// over the same cache meets, and where there is none, ByIndex will say so.
func addIndices(options Options) {
	_ = options.PodCache.AddIndexers(map[string]kit.IndexFunc[*kit.Pod]{
		podsByOwner: func(pod *kit.Pod) ([]string, error) { return []string{ownerKey(pod)}, nil },
	})
	_ = options.ReplicaSetCache.AddIndexers(map[string]kit.IndexFunc[*kit.ReplicaSet]{
		setsByNamespace: func(rs *kit.ReplicaSet) ([]string, error) { return []string{rs.Namespace}, nil },
	})
}

// ownerKey is where a pod stands in the index. Orphans stand under no UID.
func ownerKey(pod *kit.Pod) string {
	if ref := pod.ControllerOf(); ref != nil {
		return pod.Namespace + "/" + ref.UID
	}
	return pod.Namespace + "/"
}

func controllerReference(rs *kit.ReplicaSet) kit.OwnerReference {
	return kit.OwnerReference{
		APIVersion: kit.ReplicaSets.APIVersion, Kind: kit.ReplicaSets.Kind,
		Name: rs.Name, UID: rs.UID, Controller: true,
	}
}

// claim returns the replicas of rs. On the way it adopts the orphans that it may have,
// and lets go of the pods that have changed their labels.
func (r *ReplicaSetReconciler) claim(ctx context.Context, rs *kit.ReplicaSet) ([]*kit.Pod, error) {
	candidates, err := r.candidates(rs)
	if err != nil {
		return nil, err
	}
	mayAdopt := sync.OnceValue(func() error { return r.mayAdopt(ctx, rs) })
	var replicas []*kit.Pod
	var errs []error
	for _, pod := range candidates {
		mine, err := r.claimPod(ctx, rs, pod, mayAdopt)
		if mine {
			replicas = append(replicas, pod)
		}
		if err != nil && !kit.IsNotFound(err) {
			errs = append(errs, err)
		}
	}
	return replicas, errors.Join(errs...)
}

// candidates are the active pods of rs and the orphans of its namespace.
func (r *ReplicaSetReconciler) candidates(rs *kit.ReplicaSet) ([]*kit.Pod, error) {
	owned, err := r.options.PodCache.ByIndex(podsByOwner, rs.Namespace+"/"+rs.UID)
	if err != nil {
		return nil, err
	}
	orphans, err := r.options.PodCache.ByIndex(podsByOwner, rs.Namespace+"/")
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Concat(owned, orphans), func(pod *kit.Pod) bool { return !pod.Active() }), nil
}

// claimPod reports whether the pod is a replica of rs.
func (r *ReplicaSetReconciler) claimPod(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod, mayAdopt func() error) (bool, error) {
	owned, matches := pod.ControllerOf() != nil, rs.Spec.Selector.Matches(pod.Labels)
	switch {
	case owned && matches:
		return true, nil
	case owned == matches || rs.DeletionTimestamp != nil:
		return false, nil
	case owned:
		return false, r.release(ctx, rs, pod)
	}
	if err := mayAdopt(); err != nil {
		return false, err
	}
	err := r.adopt(ctx, rs, pod)
	return err == nil, err
}

// mayAdopt asks the API server itself. The cache may still show a ReplicaSet that has
// been deleted without its pods; to adopt them back would undo what the user asked for
// (kubernetes#42639). Its error must not be taken for that of a pod, so it is not wrapped.
func (r *ReplicaSetReconciler) mayAdopt(ctx context.Context, rs *kit.ReplicaSet) error {
	fresh, err := r.options.ReplicaSets.Get(ctx, rs.Namespace, rs.Name)
	switch {
	case err != nil:
		return fmt.Errorf("replicaset %s may not adopt: %s", kit.Key(rs), err.Error())
	case fresh.UID != rs.UID:
		return fmt.Errorf("replicaset %s may not adopt: it has another UID now", kit.Key(rs))
	case fresh.DeletionTimestamp != nil:
		return fmt.Errorf("replicaset %s may not adopt: it is being deleted", kit.Key(rs))
	}
	return nil
}

// adopt and release write the pod as the cache shows it. If that is not how it stands,
// the version does not fit, and the API server refuses: no lock is needed to keep
// two ReplicaSets from adopting one pod.
func (r *ReplicaSetReconciler) adopt(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	adopted := pod.DeepCopy()
	adopted.OwnerReferences = append(adopted.OwnerReferences, controllerReference(rs))
	adopted, err := r.options.Pods.Update(ctx, adopted)
	if err == nil {
		r.written.pod(rs, adopted)
	}
	return err
}

func (r *ReplicaSetReconciler) release(ctx context.Context, rs *kit.ReplicaSet, pod *kit.Pod) error {
	released := pod.DeepCopy()
	released.OwnerReferences = slices.DeleteFunc(released.OwnerReferences, func(ref kit.OwnerReference) bool { return ref.UID == rs.UID })
	_, err := r.options.Pods.Update(ctx, released)
	return err
}

// related are the pods that share the work of rs: during a rollout the old and the new
// ReplicaSet of a deployment are halves of one whole. An index that is missing was
// noticed by candidates already.
func (r *ReplicaSetReconciler) related(rs *kit.ReplicaSet) []*kit.Pod {
	var pods []*kit.Pod
	for _, other := range r.setsIn(rs.Namespace) {
		if siblings(rs, other) {
			owned, _ := r.options.PodCache.ByIndex(podsByOwner, other.Namespace+"/"+other.UID)
			pods = append(pods, owned...)
		}
	}
	return pods
}

func siblings(a, b *kit.ReplicaSet) bool {
	ownerA, ownerB := a.ControllerOf(), b.ControllerOf()
	return a.UID == b.UID || ownerA != nil && ownerB != nil && ownerA.UID == ownerB.UID
}

func (r *ReplicaSetReconciler) setsIn(namespace string) []*kit.ReplicaSet {
	sets, _ := r.options.ReplicaSetCache.ByIndex(setsByNamespace, namespace)
	return sets
}
