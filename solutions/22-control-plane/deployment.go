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

// DeploymentReconciler rolls the pods of deployments from one template to the next. The
// stub's documentation is the contract.
//
// A Reconcile has three parts, and they are kept apart: what there is, which is read from
// the caches; what should be, which is a plan, and arithmetic alone (rolling.go); and the
// requests that make the difference. From one Reconcile to the next it remembers only the
// versions of what it has written. A restart forgets them and needs none of them: its
// caches begin with a list that is newer.
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
// asks for.
func (r *DeploymentReconciler) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	// The order is the point, as in lab 20: what is found to have arrived is among what is
	// read afterwards. Read first and ask later, and a write may arrive in between.
	lagging, err := r.lagging(ctx, request)
	if err != nil {
		return kit.Result{}, err
	}
	d, exists := r.DeploymentCache.GetByKey(request.String())
	controlled, err := r.ReplicaSetCache.ByIndex(ControllerIndex, ControllerKey(kit.Deployments.Kind, request.Namespace, request.Name))
	if err != nil {
		return kit.Result{}, fmt.Errorf("list the ReplicaSets of %s: %w", request, err)
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
