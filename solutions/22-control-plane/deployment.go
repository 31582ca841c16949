package controlplane

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// DeploymentOptions are what a DeploymentReconciler is made of.
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
// come back, which is what a rollback is), it gets one more than the highest of the others,
// and keeps its name and its pods. The deployment's own annotation is that of the
// new ReplicaSet.
//
// # Scaling
//
// At no moment may there be more pods than spec.replicas + surge, nor may fewer be
// available than spec.replicas - unavailable by the deployment's own doing: see
// ResolveFenceposts. What the reconciler knows about pods is old, so it takes
// each number for the worst that it can mean:
//
//   - ReplicaSetCache may not contain Reconcile's own writes yet. Until all of them have
//     arrived, or the API server says that their object is gone again, Reconcile changes no
//     spec.replicas of this deployment, creates no ReplicaSet for it, and asks to be called
//     again within a second.
//   - A ReplicaSet is observed if its status.observedGeneration is its generation. While
//     one of them is not, its controller may still be acting on an earlier spec, and nobody
//     knows how many pods there are: no spec.replicas is changed and no ReplicaSet created.
//   - A ReplicaSet has settled if it is observed and its status.replicas are its
//     spec.replicas. spec.replicas of one that has not settled stays as it is: one change
//     at a time.
//   - A ReplicaSet counts for as many pods as the larger of spec.replicas and
//     status.replicas, and for as many available ones as the smaller of spec.replicas and
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
//     ReplicaSet as many as it lacks, and in all no more than the spec.replicas of all
//     ReplicaSets, the new one among them, minus the pods that must be available, minus
//     those of the new ReplicaSet that are not available. Then go available ones: in all no more than the number by which the
//     counted available pods exceed those that must be available.
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
// A deployment that is being deleted is left alone. When it is gone, Reconcile scales each
// ReplicaSet that a deployment of this name controls to 0 once it has settled, and deletes
// it when it has settled there. The ReplicaSets of a new deployment of this name are not
// touched: a lagging cache does not decide that, Reconcile asks the API server. Upstream
// leaves this to its garbage collector, and so has an orphan for a while.
type DeploymentReconciler struct {
	DeploymentOptions

	mu      sync.Mutex                        // guards written
	written map[kit.Request]map[string]uint64 // by deployment and ReplicaSet: own writes that the cache may not have
}

var _ kit.Reconciler = (*DeploymentReconciler)(nil)

// NewDeploymentReconciler makes a DeploymentReconciler.
func NewDeploymentReconciler(options DeploymentOptions) *DeploymentReconciler {
	return &DeploymentReconciler{DeploymentOptions: options, written: map[kit.Request]map[string]uint64{}}
}

// lagPause is how long to wait for a cache that lacks what was written. An event brings
// the deployment back sooner, unless the watch is cut.
const lagPause = 200 * time.Millisecond

// Reconcile brings the ReplicaSets of one deployment, and its status, nearer to what it
// asks for. It is not called twice at once for one request, but may be for several. An
// error of the API is returned, wrapped or not, and the next call starts over from the
// caches; Conflict is one of them. Fenceposts that make no sense are a kit.TerminalError.
func (r *DeploymentReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	// The deployment is read before its ReplicaSets: what is read last is the newest.
	d, exists := r.DeploymentCache.GetByKey(request.String())
	controlled, err := r.ReplicaSetCache.ByIndex(ControllerIndex, ControllerKey(kit.Deployments.Kind, request.Namespace, request.Name))
	if err != nil {
		return kit.Result{}, fmt.Errorf("list the ReplicaSets of %s: %w", request, err)
	}
	lagging, err := r.lagging(ctx, request)
	if err != nil {
		return kit.Result{}, err
	}
	own, others := controlledBy(controlled, d, exists)
	result := kit.Result{}
	if lagging {
		result.RequeueAfter = lagPause
	} else if err := r.abandon(ctx, request, others); err != nil {
		return kit.Result{}, err
	}
	if !exists || d.DeletionTimestamp != nil {
		return result, nil
	}
	return result, r.roll(ctx, d, own, lagging)
}

// controlledBy tells the ReplicaSets of d from those of a deployment that had its name.
func controlledBy(sets []*kit.ReplicaSet, d *kit.Deployment, exists bool) (own, others []*kit.ReplicaSet) {
	for _, rs := range sets {
		if exists && rs.ControllerOf().UID == d.UID {
			own = append(own, rs)
		} else {
			others = append(others, rs)
		}
	}
	return own, others
}

// roll takes one step of a rollout and writes down how far it has come.
func (r *DeploymentReconciler) roll(ctx context.Context, d *kit.Deployment, own []*kit.ReplicaSet, lagging bool) error {
	plan, err := newPlan(d, own)
	if err != nil {
		return kit.TerminalError(fmt.Errorf("deployment %s: %w", kit.Key(d), err))
	}
	if !lagging {
		plan.step()
		if err := r.carryOut(ctx, d, plan); err != nil {
			return err
		}
	}
	return r.writeStatus(ctx, d, plan)
}

// carryOut writes what the plan has come to.
func (r *DeploymentReconciler) carryOut(ctx context.Context, d *kit.Deployment, p *plan) error {
	if p.create {
		return r.create(ctx, d, p)
	}
	for _, s := range p.sets {
		if err := r.update(ctx, d, p, s); err != nil {
			return err
		}
	}
	for _, s := range p.outdated() {
		if err := r.remove(ctx, s.ReplicaSet); err != nil {
			return err
		}
	}
	return nil
}

// create makes the new ReplicaSet.
func (r *DeploymentReconciler) create(ctx context.Context, d *kit.Deployment, p *plan) error {
	rs, err := r.ReplicaSets.Create(ctx, newReplicaSet(d, p))
	if err != nil {
		return fmt.Errorf("create the ReplicaSet for the template of %s: %w", kit.Key(d), err)
	}
	r.wrote(kit.RequestFor(d), rs)
	r.Recorder.Eventf(kit.ReferenceTo(kit.Deployments, d), kit.EventNormal, "ScalingReplicaSet",
		"Scaled up replica set %s from 0 to %d", rs.Name, rs.Spec.Replicas)
	return nil
}

func newReplicaSet(d *kit.Deployment, p *plan) *kit.ReplicaSet {
	hash := TemplateHash(d.Spec.Template)
	template := d.DeepCopy().Spec.Template
	template.Labels = with(template.Labels, kit.PodTemplateHash, hash)
	rs := kit.ReplicaSets.New()
	rs.Namespace, rs.Name = d.Namespace, d.Name+"-"+hash
	rs.Labels = maps.Clone(template.Labels)
	rs.Annotations = map[string]string{kit.RevisionAnnotation: strconv.FormatInt(p.revision, 10)}
	rs.OwnerReferences = []kit.OwnerReference{{
		APIVersion: kit.Deployments.APIVersion, Kind: kit.Deployments.Kind, Name: d.Name, UID: d.UID, Controller: true,
	}}
	rs.Spec = kit.ReplicaSetSpec{
		Replicas:        p.created,
		MinReadySeconds: d.Spec.MinReadySeconds,
		Selector:        kit.LabelSelector{MatchLabels: with(d.Spec.Selector.MatchLabels, kit.PodTemplateHash, hash)},
		Template:        template,
	}
	return rs
}

// with is labels and one more.
func with(labels map[string]string, key, value string) map[string]string {
	more := make(map[string]string, len(labels)+1)
	maps.Copy(more, labels)
	more[key] = value
	return more
}

// update brings one ReplicaSet to what the plan wants of it, if it is not there.
func (r *DeploymentReconciler) update(ctx context.Context, d *kit.Deployment, p *plan, s *set) error {
	want := s.DeepCopy()
	want.Spec.Replicas = s.replicas
	if s == p.new {
		want.Spec.MinReadySeconds = d.Spec.MinReadySeconds
		want.Annotations = with(want.Annotations, kit.RevisionAnnotation, strconv.FormatInt(p.revision, 10))
	}
	if kit.ReplicaSets.Equal(want, s.ReplicaSet) {
		return nil
	}
	rs, err := r.ReplicaSets.Update(ctx, want)
	if err != nil {
		return fmt.Errorf("scale %s to %d: %w", kit.Key(want), s.replicas, err)
	}
	r.wrote(kit.RequestFor(d), rs)
	if before := s.Spec.Replicas; before != s.replicas {
		word := "up"
		if s.replicas < before {
			word = "down"
		}
		r.Recorder.Eventf(kit.ReferenceTo(kit.Deployments, d), kit.EventNormal, "ScalingReplicaSet",
			"Scaled %s replica set %s from %d to %d", word, rs.Name, before, s.replicas)
	}
	return nil
}

// remove deletes a ReplicaSet that is exactly what the cache shows: if anything has
// happened to it since, it stays.
func (r *DeploymentReconciler) remove(ctx context.Context, rs *kit.ReplicaSet) error {
	_, err := r.ReplicaSets.Delete(ctx, rs.Namespace, rs.Name,
		kit.DeleteOptions{Preconditions: kit.Preconditions{UID: rs.UID, ResourceVersion: rs.ResourceVersion}})
	if err != nil && !kit.IsNotFound(err) {
		return fmt.Errorf("delete %s: %w", kit.Key(rs), err)
	}
	return nil
}

// abandon winds down ReplicaSets whose deployment is gone: to 0 first, and only then
// deleted, for a pod whose ReplicaSet is gone is an orphan.
func (r *DeploymentReconciler) abandon(ctx context.Context, request kit.Request, sets []*kit.ReplicaSet) error {
	if len(sets) == 0 {
		return nil
	}
	living := ""
	d, err := r.Deployments.Get(ctx, request.Namespace, request.Name)
	if err == nil {
		living = d.UID
	} else if !kit.IsNotFound(err) {
		return fmt.Errorf("ask for %s: %w", request, err)
	}
	for _, rs := range sets {
		if rs.ControllerOf().UID == living || !settled(rs) {
			continue
		}
		if rs.Spec.Replicas == 0 {
			err = r.remove(ctx, rs)
		} else {
			err = r.empty(ctx, request, rs)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *DeploymentReconciler) empty(ctx context.Context, request kit.Request, rs *kit.ReplicaSet) error {
	want := rs.DeepCopy()
	want.Spec.Replicas = 0
	stored, err := r.ReplicaSets.Update(ctx, want)
	if err != nil {
		return fmt.Errorf("scale %s to 0: %w", kit.Key(rs), err)
	}
	r.wrote(request, stored)
	return nil
}

// writeStatus writes the status and the revision of a deployment, if they have changed.
func (r *DeploymentReconciler) writeStatus(ctx context.Context, d *kit.Deployment, p *plan) error {
	want := d.DeepCopy()
	want.Status = p.status(d.Generation)
	if p.new != nil || p.create {
		want.Annotations = with(want.Annotations, kit.RevisionAnnotation, strconv.FormatInt(p.revision, 10))
	}
	if kit.Deployments.Equal(want, d) {
		return nil
	}
	if _, err := r.Deployments.Update(ctx, want); err != nil {
		return fmt.Errorf("write the status of %s: %w", kit.Key(d), err)
	}
	return nil
}

// wrote remembers a ReplicaSet as it was just written.
func (r *DeploymentReconciler) wrote(request kit.Request, rs *kit.ReplicaSet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.written[request] == nil {
		r.written[request] = map[string]uint64{}
	}
	r.written[request][kit.Key(rs)] = version(rs)
}

// lagging reports whether the cache lacks something that was written for a deployment.
// A ReplicaSet that was written and is gone will never show; only the API server can tell.
func (r *DeploymentReconciler) lagging(ctx context.Context, request kit.Request) (bool, error) {
	for key, written := range r.pending(request) {
		cached, exists := r.ReplicaSetCache.GetByKey(key)
		if !exists || version(cached) < written {
			namespace, name, _ := strings.Cut(key, "/")
			if _, err := r.ReplicaSets.Get(ctx, namespace, name); err == nil {
				return true, nil
			} else if !kit.IsNotFound(err) {
				return false, fmt.Errorf("ask for %s: %w", key, err)
			}
		}
		r.seen(request, key)
	}
	return false, nil
}

func (r *DeploymentReconciler) pending(request kit.Request) map[string]uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.written[request])
}

func (r *DeploymentReconciler) seen(request kit.Request, key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.written[request], key)
	if len(r.written[request]) == 0 {
		delete(r.written, request)
	}
}

// version is a resource version as a number: they may be compared, and that is all.
func version(obj kit.Object) uint64 {
	n, _ := strconv.ParseUint(obj.GetResourceVersion(), 10, 64)
	return n
}
