package controlplane

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DeploymentOptions are the parts of a DeploymentReconciler.
type DeploymentOptions struct {
	Deployments kit.Client[*kit.Deployment]
	ReplicaSets kit.Client[*kit.ReplicaSet]

	// The caches follow the API server with a delay. Nobody may change what is in them.
	DeploymentCache kit.Indexer[*kit.Deployment]
	ReplicaSetCache kit.Indexer[*kit.ReplicaSet] // has ControllerIndex

	Recorder kit.EventRecorder // never nil
}

// DeploymentReconciler rolls the pods of deployments from one template to the next. It
// touches no pod: it controls ReplicaSets, one for each template, by their spec.replicas,
// and reads the result in their status.
//
// # Which ReplicaSets
//
// The ReplicaSets of a deployment are those in ReplicaSetCache that it controls: the
// controlling owner is this deployment, by UID. The new one has TemplateHash of the
// deployment's template as its label kit.PodTemplateHash; all others are old. If there is
// no new one, and the deployment is not paused, it is created: its name is the
// deployment's, "-" and the hash; it has the template's labels and the hash; the deployment
// controls it; selector and template are those of the deployment with the hash added to the
// selector and to the template's labels; minReadySeconds is the deployment's, and follows
// it when it changes; and replicas is what scaling up (below) would make of 0.
//
// A ReplicaSet carries the number of its template in kit.RevisionAnnotation. The new one
// has the highest. If it does not (it was just created, or the template of an old one has
// come back, which is what a rollback is), it gets one more than the highest of the
// others, and keeps its name and its pods. The deployment's own annotation is that of the
// new ReplicaSet. Other annotations of both stay.
//
// # Scaling
//
// At no moment may there be more pods than spec.replicas + surge, nor may fewer be
// available than spec.replicas - unavailable by the deployment's own doing: see
// ResolveFenceposts. What the reconciler knows about pods is old, so it takes
// each number for the worst that it can mean:
//
//   - ReplicaSetCache may not contain Reconcile's own writes yet. Until all of them have
//     arrived, or the API server says that their object is gone again, Reconcile changes
//     no spec.replicas of this deployment, creates no ReplicaSet for it, and asks to be
//     called again within a second. Whether a write counts that was stored, though its
//     answer was an error, is left open.
//   - A ReplicaSet is observed if its status.observedGeneration is its generation. While
//     one of them is not, its controller may still be acting on an earlier spec, and nobody
//     knows how many pods there are: no spec.replicas is changed and no ReplicaSet created.
//   - A ReplicaSet has settled if it is observed and its status.replicas are its
//     spec.replicas. spec.replicas of one that has not settled stays as it is: one change
//     at a time.
//   - The counted pods of a ReplicaSet are the larger of spec.replicas and
//     status.replicas, and its counted available pods the smaller of spec.replicas and
//     status.availableReplicas.
//
// Within that, these are the steps, in this order, in one call or in several:
//
//   - If the new ReplicaSet has more than the deployment's replicas, it is scaled down to
//     that number.
//   - If it has fewer, it is scaled up by the room that the counted pods leave below
//     replicas + surge, and to replicas at most.
//   - Old ReplicaSets are scaled down, the oldest first (by creation time, then by name).
//     First go pods that are not available, because losing them costs nothing: from each
//     ReplicaSet at most its spec.replicas minus its counted available pods; and in all at
//     most the spec.replicas of all ReplicaSets, the new one included, minus the pods that
//     must be available (spec.replicas - unavailable, at least 0), minus those of the new
//     ReplicaSet that are not available. Then go available ones: in all at most the counted
//     available pods of all ReplicaSets, the new one included, minus those that must be
//     available.
//
// A paused deployment neither starts nor continues a rollout: only if all but one of its
// ReplicaSets have spec.replicas 0, that one is scaled to the deployment's replicas; if all
// have 0, the one with the highest revision.
//
// When the new ReplicaSet has all its replicas available and no old one has any (of spec or
// status), old ones beyond spec.revisionHistoryLimit (nil is 10) are deleted, lowest
// revision first.
//
// Upstream scales every ReplicaSet in proportion when replicas change in the middle of a
// rollout. This lab leaves that out.
//
// # Status
//
// Status sums up the ReplicaSets in the cache: replicas, ready and available of all,
// updated is the new one's replicas, unavailable is the number by which replicas exceed
// available; observedGeneration is the deployment's. If none of this has changed, nothing
// is written. In a world at rest Reconcile writes nothing.
//
// # The end
//
// A deployment that is being deleted is left alone. When it is gone, even if there is a
// new one of this name by then, Reconcile scales each ReplicaSet that a deployment of this
// name controls to 0 once it has settled, and deletes it when it has settled there. Those
// of the new one are not touched: a lagging cache does not decide that, Reconcile asks the
// API server. Upstream leaves this to its garbage collector, and so has an orphan for a
// while.
type DeploymentReconciler struct {
	DeploymentOptions

	mu sync.Mutex
	// written is what the cache is to show before anything is scaled: for each request the
	// versions of its ReplicaSets, by key. "" is a write of which nobody knows what became.
	written map[kit.Request]map[string]string
}

var _ kit.Reconciler = (*DeploymentReconciler)(nil)

// NewDeploymentReconciler makes a DeploymentReconciler.
func NewDeploymentReconciler(options DeploymentOptions) *DeploymentReconciler {
	return &DeploymentReconciler{DeploymentOptions: options, written: map[kit.Request]map[string]string{}}
}

// Reconcile brings the ReplicaSets of one deployment, and its status, nearer to what it
// asks for. It is not called twice at once for one request, but may be called at once for
// several. An
// error of the API is returned, wrapped or not, and the next call starts over from the
// caches; Conflict is one of them. Invalid fenceposts are a kit.TerminalError.
func (r *DeploymentReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	again, err := r.reconcile(ctx, request)
	if err != nil {
		return kit.Result{}, err
	}
	if again {
		return kit.Result{RequeueAfter: waitForCache}, nil
	}
	return kit.Result{}, nil
}

const waitForCache = 500 * time.Millisecond

// older reports whether version a is older than b.
func older(a, b string) bool {
	x, err := strconv.ParseUint(a, 10, 64)
	y, err2 := strconv.ParseUint(b, 10, 64)
	return err == nil && err2 == nil && x < y
}

func revision(obj kit.Object) int64 {
	n, _ := strconv.ParseInt(obj.GetAnnotations()[kit.RevisionAnnotation], 10, 64)
	return n
}

func setAnnotation(obj kit.Object, key, value string) {
	annotations := obj.GetAnnotations()
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[key] = value
	obj.SetAnnotations(annotations)
}

// wrote notes that the cache has to show this write. version "" says that an error came
// back and the write may have been made all the same.
func (r *DeploymentReconciler) wrote(request kit.Request, key, version string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.written[request] == nil {
		r.written[request] = map[string]string{}
	}
	r.written[request][key] = version
}

// outstanding reports whether the cache lacks what was written for request.
func (r *DeploymentReconciler) outstanding(ctx context.Context, request kit.Request) (bool, error) {
	r.mu.Lock()
	written := maps.Clone(r.written[request])
	r.mu.Unlock()
	for key, version := range written {
		cached, ok := r.ReplicaSetCache.GetByKey(key)
		if version != "" && ok && !older(cached.ResourceVersion, version) {
			r.arrived(request, key)
			delete(written, key)
			continue
		}
		namespace, name := request.Namespace, key
		if namespace != "" {
			name = key[len(namespace)+1:]
		}
		live, err := r.ReplicaSets.Get(ctx, namespace, name)
		switch {
		case kit.IsNotFound(err):
			r.arrived(request, key)
			delete(written, key)
		case err != nil:
			return true, err
		case version == "":
			r.wrote(request, key, live.ResourceVersion)
			if ok && !older(cached.ResourceVersion, live.ResourceVersion) {
				r.arrived(request, key)
				delete(written, key)
			}
		}
	}
	return len(written) > 0, nil
}

func (r *DeploymentReconciler) arrived(request kit.Request, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.written[request], key)
	if len(r.written[request]) == 0 {
		delete(r.written, request)
	}
}

// refused reports whether err says for sure that nothing was written.
func refused(err error) bool {
	return kit.IsConflict(err) || kit.IsNotFound(err) || kit.IsInvalid(err) || kit.IsAlreadyExists(err) || kit.IsTooManyRequests(err)
}

func (r *DeploymentReconciler) update(ctx context.Context, request kit.Request, rs *kit.ReplicaSet) error {
	stored, err := r.ReplicaSets.Update(ctx, rs)
	if err == nil {
		r.wrote(request, kit.Key(rs), stored.ResourceVersion)
	} else if !refused(err) {
		r.wrote(request, kit.Key(rs), "")
	}
	return err
}

func (r *DeploymentReconciler) reconcile(ctx context.Context, request kit.Request) (again bool, err error) {
	waiting, err := r.outstanding(ctx, request)
	if err != nil {
		return false, err
	}
	d, exists := r.DeploymentCache.GetByKey(request.String())
	controlled, err := r.ReplicaSetCache.ByIndex(ControllerIndex, ControllerKey(kit.Deployments.Kind, request.Namespace, request.Name))
	if err != nil {
		return false, err
	}
	var own, others []*kit.ReplicaSet
	for _, rs := range controlled {
		if exists && rs.ControllerOf().UID == d.UID {
			own = append(own, rs)
		} else {
			others = append(others, rs)
		}
	}
	if len(others) > 0 && !waiting {
		if err := r.windDown(ctx, request, others); err != nil {
			return false, err
		}
	}
	if !exists || d.DeletionTimestamp != nil {
		return waiting, nil
	}
	surge, unavailable, err := ResolveFenceposts(d.Spec.MaxSurge, d.Spec.MaxUnavailable, d.Spec.Replicas)
	if err != nil {
		return false, kit.TerminalError(err)
	}

	slices.SortFunc(own, oldestFirst)
	hash := TemplateHash(d.Spec.Template)
	var newSet *replicas
	var all, olds []*replicas
	allObserved := true
	for _, rs := range own {
		set := &replicas{rs, rs.Spec.Replicas}
		all = append(all, set)
		if newSet == nil && rs.Labels[kit.PodTemplateHash] == hash {
			newSet = set
		} else {
			olds = append(olds, set)
		}
		allObserved = allObserved && observed(rs)
	}
	status := r.status(d, newSet, own)
	if !waiting {
		if err := r.steer(ctx, request, d, newSet, olds, all, hash, surge, unavailable, allObserved); err != nil {
			return false, err
		}
		r.mu.Lock()
		waiting = len(r.written[request]) > 0
		r.mu.Unlock()
	}
	return waiting, r.report(ctx, d, newSet, status)
}

// steer brings the ReplicaSets nearer to what the deployment asks for. The cache shows all
// that was written.
func (r *DeploymentReconciler) steer(ctx context.Context, request kit.Request, d *kit.Deployment, newSet *replicas, olds, all []*replicas, hash string, surge, unavailable int, allObserved bool) error {
	var highest int64
	for _, set := range olds {
		highest = max(highest, revision(set.rs))
	}
	if newSet == nil && !d.Spec.Paused {
		if allObserved {
			return r.create(ctx, request, d, hash, min(d.Spec.Replicas, room(olds, d.Spec.Replicas+surge)))
		}
		return nil
	}
	if allObserved {
		if d.Spec.Paused {
			scalePaused(all, d.Spec.Replicas, surge)
		} else {
			roll(newSet, olds, d.Spec.Replicas, surge, unavailable)
		}
	}
	for _, set := range all {
		want := set.rs.DeepCopy()
		want.Spec.Replicas = set.spec
		changed := set.spec != set.rs.Spec.Replicas
		if set == newSet {
			if revision(want) <= highest {
				setAnnotation(want, kit.RevisionAnnotation, strconv.FormatInt(highest+1, 10))
				changed = true
			}
			if want.Spec.MinReadySeconds != d.Spec.MinReadySeconds {
				want.Spec.MinReadySeconds = d.Spec.MinReadySeconds
				changed = true
			}
		}
		if !changed {
			continue
		}
		if err := r.update(ctx, request, want); err != nil {
			return err
		}
		if set.spec != set.rs.Spec.Replicas {
			direction := "up"
			if set.spec < set.rs.Spec.Replicas {
				direction = "down"
			}
			r.Recorder.Eventf(kit.ReferenceTo(kit.Deployments, d), kit.EventNormal, "ScalingReplicaSet",
				"Scaled %s replica set %s from %d to %d", direction, want.Name, set.rs.Spec.Replicas, set.spec)
		}
	}
	return r.clean(ctx, d, newSet, olds)
}

// create makes the new ReplicaSet. It gets its number in a later call.
func (r *DeploymentReconciler) create(ctx context.Context, request kit.Request, d *kit.Deployment, hash string, n int) error {
	rs := kit.ReplicaSets.New()
	rs.Namespace, rs.Name = d.Namespace, d.Name+"-"+hash
	rs.OwnerReferences = []kit.OwnerReference{{
		APIVersion: kit.Deployments.APIVersion, Kind: kit.Deployments.Kind, Name: d.Name, UID: d.UID, Controller: true,
	}}
	rs.Labels = withHash(d.Spec.Template.Labels, hash)
	rs.Spec.Replicas = n
	rs.Spec.MinReadySeconds = d.Spec.MinReadySeconds
	rs.Spec.Selector.MatchLabels = withHash(d.Spec.Selector.MatchLabels, hash)
	d.Spec.Template.DeepCopyInto(&rs.Spec.Template)
	rs.Spec.Template.Labels = withHash(d.Spec.Template.Labels, hash)

	stored, err := r.ReplicaSets.Create(ctx, rs)
	if kit.IsAlreadyExists(err) {
		// Perhaps it is ours, and the cache does not know it yet.
		live, getErr := r.ReplicaSets.Get(ctx, rs.Namespace, rs.Name)
		if getErr != nil {
			return getErr
		}
		if owner := live.ControllerOf(); owner == nil || owner.UID != d.UID {
			return err
		}
		r.wrote(request, kit.Key(rs), live.ResourceVersion)
		return nil
	}
	if err != nil {
		if !refused(err) {
			r.wrote(request, kit.Key(rs), "")
		}
		return err
	}
	r.wrote(request, kit.Key(rs), stored.ResourceVersion)
	r.Recorder.Eventf(kit.ReferenceTo(kit.Deployments, d), kit.EventNormal, "ScalingReplicaSet",
		"Scaled up replica set %s from 0 to %d", rs.Name, n)
	return nil
}

func withHash(labels map[string]string, hash string) map[string]string {
	labels = maps.Clone(labels)
	if labels == nil {
		labels = map[string]string{}
	}
	labels[kit.PodTemplateHash] = hash
	return labels
}

// clean deletes old ReplicaSets that nobody will come back to.
func (r *DeploymentReconciler) clean(ctx context.Context, d *kit.Deployment, newSet *replicas, olds []*replicas) error {
	if newSet == nil || !settled(newSet.rs) || newSet.rs.Spec.Replicas != d.Spec.Replicas || newSet.rs.Status.AvailableReplicas < d.Spec.Replicas {
		return nil
	}
	limit := 10
	if d.Spec.RevisionHistoryLimit != nil {
		limit = max(*d.Spec.RevisionHistoryLimit, 0)
	}
	var history []*kit.ReplicaSet
	for _, set := range olds {
		if set.rs.Spec.Replicas != 0 || !settled(set.rs) {
			return nil
		}
		if set.rs.DeletionTimestamp == nil {
			history = append(history, set.rs)
		}
	}
	slices.SortFunc(history, func(a, b *kit.ReplicaSet) int { return cmp.Compare(revision(a), revision(b)) })
	for i := 0; i < len(history)-limit; i++ {
		if err := r.delete(ctx, history[i]); err != nil {
			return err
		}
	}
	return nil
}

func (r *DeploymentReconciler) delete(ctx context.Context, rs *kit.ReplicaSet) error {
	_, err := r.ReplicaSets.Delete(ctx, rs.Namespace, rs.Name, kit.DeleteOptions{
		Preconditions: kit.Preconditions{UID: rs.UID, ResourceVersion: rs.ResourceVersion},
	})
	if kit.IsNotFound(err) {
		return nil
	}
	return err
}

// windDown ends the ReplicaSets of deployments that are gone.
func (r *DeploymentReconciler) windDown(ctx context.Context, request kit.Request, sets []*kit.ReplicaSet) error {
	live, err := r.Deployments.Get(ctx, request.Namespace, request.Name)
	if err != nil && !kit.IsNotFound(err) {
		return err
	}
	uid := ""
	if err == nil {
		uid = live.UID
	}
	for _, rs := range sets {
		if rs.ControllerOf().UID == uid || rs.DeletionTimestamp != nil || !settled(rs) {
			continue
		}
		if rs.Spec.Replicas == 0 {
			err = r.delete(ctx, rs)
		} else {
			rs = rs.DeepCopy()
			rs.Spec.Replicas = 0
			err = r.update(ctx, request, rs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *DeploymentReconciler) status(d *kit.Deployment, newSet *replicas, sets []*kit.ReplicaSet) kit.DeploymentStatus {
	status := kit.DeploymentStatus{ObservedGeneration: d.Generation}
	for _, rs := range sets {
		status.Replicas += rs.Status.Replicas
		status.ReadyReplicas += rs.Status.ReadyReplicas
		status.AvailableReplicas += rs.Status.AvailableReplicas
	}
	if newSet != nil {
		status.UpdatedReplicas = newSet.rs.Status.Replicas
	}
	status.UnavailableReplicas = max(status.Replicas-status.AvailableReplicas, 0)
	return status
}

func (r *DeploymentReconciler) report(ctx context.Context, d *kit.Deployment, newSet *replicas, status kit.DeploymentStatus) error {
	out := d.DeepCopy()
	out.Status = status
	changed := status != d.Status
	if newSet != nil {
		if rev := newSet.rs.Annotations[kit.RevisionAnnotation]; rev != "" && rev != d.Annotations[kit.RevisionAnnotation] {
			setAnnotation(out, kit.RevisionAnnotation, rev)
			changed = true
		}
	}
	if !changed {
		return nil
	}
	if _, err := r.Deployments.Update(ctx, out); err != nil {
		return fmt.Errorf("status of %s: %w", kit.Key(d), err)
	}
	return nil
}
