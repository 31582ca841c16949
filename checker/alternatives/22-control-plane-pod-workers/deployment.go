package controlplane

import (
	"context"
	"errors"
	"fmt"
	"slices"
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
	o       DeploymentOptions
	pending sync.Map // kit.Request → *write: the last write for it, until the cache shows it
}

// write is one write to a ReplicaSet. There is never more than one that the cache lacks.
type write struct {
	key    string
	before string // the resource version in the cache then; "" for a creation
}

var _ kit.Reconciler = (*DeploymentReconciler)(nil)

// NewDeploymentReconciler makes a DeploymentReconciler.
func NewDeploymentReconciler(options DeploymentOptions) *DeploymentReconciler {
	return &DeploymentReconciler{o: options}
}

// Reconcile brings the ReplicaSets of one deployment, and its status, nearer to what it
// asks for. It is not called twice at once for one request, but may be called at once for
// several. An
// error of the API is returned, wrapped or not, and the next call starts over from the
// caches; Conflict is one of them. Invalid fenceposts are a kit.TerminalError.
func (r *DeploymentReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	wait := kit.Result{RequeueAfter: time.Second}
	arrived, err := r.arrived(ctx, request)
	if err != nil {
		return kit.Result{}, err
	}
	d, found := r.o.DeploymentCache.GetByKey(request.String())
	mine, strangers, err := r.split(request, d, found)
	if err != nil {
		return kit.Result{}, err
	}
	if arrived && len(strangers) > 0 {
		wrote, err := r.bury(ctx, request, strangers)
		if err != nil {
			return kit.Result{}, err
		}
		arrived = !wrote
	}
	if found && d.DeletionTimestamp == nil {
		surge, unavailable, err := ResolveFenceposts(d.Spec.MaxSurge, d.Spec.MaxUnavailable, d.Spec.Replicas)
		if err != nil {
			return kit.Result{}, kit.TerminalError(err)
		}
		if arrived {
			wrote, err := r.act(ctx, request, d, mine, surge, unavailable)
			if err != nil {
				return kit.Result{}, err
			}
			arrived = !wrote
		}
		if err := r.report(ctx, d, mine); err != nil {
			return kit.Result{}, err
		}
	}
	if !arrived {
		return wait, nil
	}
	return kit.Result{}, nil
}

// arrived reports whether the cache shows the last write for request.
func (r *DeploymentReconciler) arrived(ctx context.Context, request kit.Request) (bool, error) {
	v, ok := r.pending.Load(request)
	if !ok {
		return true, nil
	}
	w := v.(*write)
	cached, ok := r.o.ReplicaSetCache.GetByKey(w.key)
	// What we have written came right after what we had seen.
	if ok && cached.ResourceVersion != w.before {
		r.pending.Delete(request)
		return true, nil
	}
	live, err := r.o.ReplicaSets.Get(ctx, request.Namespace, w.key[len(request.Namespace)+1:])
	switch {
	case kit.IsNotFound(err), err == nil && live.ResourceVersion == w.before:
		r.pending.Delete(request) // gone, or never written
		return true, nil
	case err != nil:
		return false, err
	}
	return false, nil
}

func (r *DeploymentReconciler) split(request kit.Request, d *kit.Deployment, found bool) (mine, strangers []*kit.ReplicaSet, err error) {
	all, err := r.o.ReplicaSetCache.ByIndex(ControllerIndex, ControllerKey("Deployment", request.Namespace, request.Name))
	for _, rs := range all {
		if found && rs.ControllerOf().UID == d.UID {
			mine = append(mine, rs)
		} else {
			strangers = append(strangers, rs)
		}
	}
	return mine, strangers, err
}

// bury takes one step towards the end of ReplicaSets whose deployment is gone.
func (r *DeploymentReconciler) bury(ctx context.Context, request kit.Request, sets []*kit.ReplicaSet) (wrote bool, err error) {
	now, err := r.o.Deployments.Get(ctx, request.Namespace, request.Name)
	if err != nil && !kit.IsNotFound(err) {
		return false, err
	}
	there := err == nil
	for _, rs := range sets {
		switch {
		case there && rs.ControllerOf().UID == now.UID, !isSettled(rs):
		case rs.Spec.Replicas > 0:
			return true, r.scale(ctx, request, rs, func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 0 })
		default:
			if err := r.remove(ctx, rs); err != nil {
				return false, err
			}
		}
	}
	return false, nil
}

func (r *DeploymentReconciler) remove(ctx context.Context, rs *kit.ReplicaSet) error {
	_, err := r.o.ReplicaSets.Delete(ctx, rs.Namespace, rs.Name, kit.DeleteOptions{Preconditions: kit.Preconditions{UID: rs.UID}})
	if kit.IsNotFound(err) {
		return nil
	}
	return err
}

// scale changes a ReplicaSet, and remembers that.
func (r *DeploymentReconciler) scale(ctx context.Context, request kit.Request, cached *kit.ReplicaSet, change func(*kit.ReplicaSet)) error {
	rs := cached.DeepCopy()
	change(rs)
	r.pending.Store(request, &write{kit.Key(rs), cached.ResourceVersion})
	_, err := r.o.ReplicaSets.Update(ctx, rs)
	if kit.IsConflict(err) || kit.IsNotFound(err) {
		r.pending.Delete(request)
	}
	return err
}

func number(obj kit.Object) (n int64) {
	_, err := fmt.Sscan(obj.GetAnnotations()[kit.RevisionAnnotation], &n)
	if err != nil {
		return 0
	}
	return n
}

func currentOf(d *kit.Deployment, sets []*kit.ReplicaSet) (current *kit.ReplicaSet, old []*kit.ReplicaSet) {
	hash := TemplateHash(d.Spec.Template)
	for _, rs := range sets {
		if current == nil && rs.Labels[kit.PodTemplateHash] == hash {
			current = rs
			continue
		}
		old = append(old, rs)
	}
	return current, old
}

// act does one thing, if there is one to do.
func (r *DeploymentReconciler) act(ctx context.Context, request kit.Request, d *kit.Deployment, sets []*kit.ReplicaSet, surge, unavailable int) (wrote bool, err error) {
	current, old := currentOf(d, sets)
	known := !slices.ContainsFunc(sets, func(rs *kit.ReplicaSet) bool { return !isObserved(rs) })
	var top int64
	for _, rs := range old {
		top = max(top, number(rs))
	}
	if current == nil && !d.Spec.Paused {
		if !known {
			return false, nil
		}
		return r.create(ctx, request, d, top+1, max(0, min(d.Spec.Replicas, d.Spec.Replicas+surge-sum(old, atMost))))
	}
	if current != nil && (number(current) <= top || current.Spec.MinReadySeconds != d.Spec.MinReadySeconds) {
		return true, r.scale(ctx, request, current, func(rs *kit.ReplicaSet) {
			rs.Spec.MinReadySeconds = d.Spec.MinReadySeconds
			if number(rs) <= top {
				if rs.Annotations == nil {
					rs.Annotations = map[string]string{}
				}
				rs.Annotations[kit.RevisionAnnotation] = fmt.Sprint(top + 1)
			}
		})
	}
	if !known {
		return false, nil
	}
	var next step
	var any bool
	if d.Spec.Paused {
		next, any = pausedStep(sets, d.Spec.Replicas, surge)
	} else {
		next, any = nextStep(current, old, d.Spec.Replicas, surge, unavailable)
	}
	if any {
		r.o.Recorder.Eventf(kit.ReferenceTo(kit.Deployments, d), kit.EventNormal, "ScalingReplicaSet", "Scaling %s to %d", next.rs.Name, next.to)
		return true, r.scale(ctx, request, next.rs, func(rs *kit.ReplicaSet) { rs.Spec.Replicas = next.to })
	}
	return false, r.forget(ctx, d, current, old)
}

func (r *DeploymentReconciler) create(ctx context.Context, request kit.Request, d *kit.Deployment, rev int64, n int) (bool, error) {
	hash := TemplateHash(d.Spec.Template)
	base := d.DeepCopy()
	rs := &kit.ReplicaSet{TypeMeta: kit.ReplicaSets.New().TypeMeta}
	rs.Name, rs.Namespace = fmt.Sprintf("%s-%s", d.Name, hash), d.Namespace
	rs.Annotations = map[string]string{kit.RevisionAnnotation: fmt.Sprint(rev)}
	rs.OwnerReferences = []kit.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: d.Name, UID: d.UID, Controller: true}}
	rs.Labels = map[string]string{kit.PodTemplateHash: hash}
	for k, v := range base.Spec.Template.Labels {
		if k != kit.PodTemplateHash {
			rs.Labels[k] = v
		}
	}
	rs.Spec = kit.ReplicaSetSpec{Replicas: n, MinReadySeconds: d.Spec.MinReadySeconds, Template: base.Spec.Template, Selector: base.Spec.Selector}
	for _, labels := range []*map[string]string{&rs.Spec.Template.Labels, &rs.Spec.Selector.MatchLabels} {
		if *labels == nil {
			*labels = map[string]string{}
		}
		(*labels)[kit.PodTemplateHash] = hash
	}
	w := &write{key: kit.Key(rs)}
	if cached, ok := r.o.ReplicaSetCache.GetByKey(w.key); ok {
		w.before = cached.ResourceVersion // one of a deployment that is gone
	}
	r.pending.Store(request, w)
	_, err := r.o.ReplicaSets.Create(ctx, rs)
	if kit.IsAlreadyExists(err) {
		live, err2 := r.o.ReplicaSets.Get(ctx, rs.Namespace, rs.Name)
		if err2 != nil {
			return true, errors.Join(err, err2)
		}
		if o := live.ControllerOf(); o != nil && o.UID == d.UID {
			return true, nil // made by us, a moment ago
		}
		r.pending.Delete(request)
	}
	return true, err
}

// forget deletes history once a rollout is complete.
func (r *DeploymentReconciler) forget(ctx context.Context, d *kit.Deployment, current *kit.ReplicaSet, old []*kit.ReplicaSet) error {
	if current == nil || !isSettled(current) || current.Spec.Replicas != d.Spec.Replicas || current.Status.AvailableReplicas != d.Spec.Replicas {
		return nil
	}
	if sum(old, atMost) > 0 || slices.ContainsFunc(old, func(rs *kit.ReplicaSet) bool { return !isObserved(rs) }) {
		return nil
	}
	keep := 10
	if d.Spec.RevisionHistoryLimit != nil {
		keep = *d.Spec.RevisionHistoryLimit
	}
	slices.SortFunc(old, func(a, b *kit.ReplicaSet) int { return int(number(b) - number(a)) })
	for len(old) > keep {
		if err := r.remove(ctx, old[len(old)-1]); err != nil {
			return err
		}
		old = old[:len(old)-1]
	}
	return nil
}

func (r *DeploymentReconciler) report(ctx context.Context, d *kit.Deployment, sets []*kit.ReplicaSet) error {
	current, _ := currentOf(d, sets)
	want := d.DeepCopy()
	want.Status = kit.DeploymentStatus{
		ObservedGeneration: d.Generation,
		Replicas:           sum(sets, func(rs *kit.ReplicaSet) int { return rs.Status.Replicas }),
		ReadyReplicas:      sum(sets, func(rs *kit.ReplicaSet) int { return rs.Status.ReadyReplicas }),
		AvailableReplicas:  sum(sets, func(rs *kit.ReplicaSet) int { return rs.Status.AvailableReplicas }),
	}
	want.Status.UnavailableReplicas = max(0, want.Status.Replicas-want.Status.AvailableReplicas)
	if current != nil {
		want.Status.UpdatedReplicas = current.Status.Replicas
		if rev := current.Annotations[kit.RevisionAnnotation]; rev != "" {
			if want.Annotations == nil {
				want.Annotations = map[string]string{}
			}
			want.Annotations[kit.RevisionAnnotation] = rev
		}
	}
	if want.Status == d.Status && want.Annotations[kit.RevisionAnnotation] == d.Annotations[kit.RevisionAnnotation] {
		return nil
	}
	_, err := r.o.Deployments.Update(ctx, want)
	return err
}
