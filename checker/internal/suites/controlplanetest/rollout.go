package controlplanetest

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// rollout is a world with one deployment, ns/web, in which the suite plays the
// ReplicaSet controller.
type rollout struct {
	t           *conform.T
	deployments *server[*kit.Deployment]
	sets        *server[*kit.ReplicaSet]
	dCache      *cache[*kit.Deployment]
	sCache      *cache[*kit.ReplicaSet]
	r           DeploymentReconciler

	broken map[string]bool // images whose pods never become available
	most   int             // pods at any moment, if every ReplicaSet has as many as it may have
	least  int             // available pods at any moment
}

var web = kit.Request{Namespace: "ns", Name: "web"}

// newDeployment is ns/web with the given number of replicas of an image.
func newDeployment(replicas int, surge, unavailable kit.IntOrPercent, image string) *kit.Deployment {
	d := kit.Deployments.New()
	d.Namespace, d.Name = web.Namespace, web.Name
	d.Spec = kit.DeploymentSpec{Replicas: replicas, MaxSurge: surge, MaxUnavailable: unavailable}
	d.Spec.Selector.MatchLabels = map[string]string{"app": "web"}
	d.Spec.Template.Labels = map[string]string{"app": "web"}
	d.Spec.Template.Spec = kit.PodSpec{Image: image, CPU: 100}
	return d
}

func newRollout(t *conform.T, s Subject, d *kit.Deployment) *rollout {
	w := &rollout{
		t: t, deployments: newServer(kit.Deployments), sets: newServer(kit.ReplicaSets),
		dCache: newCache(kit.Deployments, nil),
		sCache: newCache(kit.ReplicaSets, map[string]kit.IndexFunc[*kit.ReplicaSet]{"controller": byController}),
		broken: map[string]bool{},
	}
	w.sets.telling(func(string, *kit.ReplicaSet) { w.measure() })
	w.deployments.put(d)
	call := t.Call("NewDeploymentReconciler(…)")
	w.r = s.NewDeploymentReconciler(DeploymentParts{w.deployments, w.sets, w.dCache, w.sCache})
	call.Returned("r")
	w.follow()
	w.forget()
	return w
}

// forget starts measuring afresh.
func (w *rollout) forget() { w.most, w.least = 0, 1<<30 }

// measure is called with every write, under the lock of sets.
func (w *rollout) measure() {
	most, least := 0, 0
	for _, rs := range w.sets.objects {
		most += max(rs.Spec.Replicas, rs.Status.Replicas)
		least += min(rs.Spec.Replicas, rs.Status.AvailableReplicas)
	}
	w.most, w.least = max(w.most, most), min(w.least, least)
}

// follow lets the caches catch up.
func (w *rollout) follow() {
	w.dCache.follow(w.deployments)
	w.sCache.follow(w.sets)
}

// reconcile calls Reconcile once and requires that it succeeds.
func (w *rollout) reconcile() kit.Result {
	result, err := w.try()
	require.NoError(w.t, err, "Reconcile failed though the API server refused nothing.")
	return result
}

func (w *rollout) try() (kit.Result, error) {
	call := w.t.Call("Reconcile(%v)", web)
	result, err := w.r.Reconcile(w.t.Context(), web)
	call.Returned("%+v, %v; %s", result, err, w.describe())
	require.True(w.t, w.dCache.untouched() && w.sCache.untouched(), "Reconcile wrote to an object of a cache: others read it, too.")
	return result, err
}

// describe is every ReplicaSet as image:spec/status/available.
func (w *rollout) describe() string {
	text := ""
	for _, rs := range w.ordered() {
		text += " " + rs.Spec.Template.Spec.Image + ":" + strconv.Itoa(rs.Spec.Replicas) + "/" + strconv.Itoa(rs.Status.Replicas) +
			"/" + strconv.Itoa(rs.Status.AvailableReplicas)
	}
	return text
}

func (w *rollout) ordered() []*kit.ReplicaSet {
	all := w.sets.all()
	slices.SortFunc(all, func(a, b *kit.ReplicaSet) int {
		return cmp.Or(a.CreationTimestamp.Compare(b.CreationTimestamp), cmp.Compare(a.Name, b.Name))
	})
	return all
}

// obey plays the ReplicaSet controller, one step at each call: it acts on what is asked and
// reports what there was before; then what there is; then what has become available.
func (w *rollout) obey() {
	for _, rs := range w.ordered() {
		want := kit.ReplicaSetStatus{Replicas: rs.Spec.Replicas, ObservedGeneration: rs.Generation}
		if rs.Status.ObservedGeneration != rs.Generation {
			want.Replicas = rs.Status.Replicas
		}
		want.AvailableReplicas = min(rs.Status.AvailableReplicas, want.Replicas)
		if rs.Status.Replicas == rs.Spec.Replicas && rs.Status.ObservedGeneration == rs.Generation && !w.broken[rs.Spec.Template.Spec.Image] {
			want.AvailableReplicas = want.Replicas
		}
		want.ReadyReplicas = want.AvailableReplicas
		if rs.Status != want {
			w.sets.change(kit.Key(rs), func(rs *kit.ReplicaSet) { rs.Status = want })
		}
	}
}

// settle lets everybody act in turn until nothing changes.
func (w *rollout) settle() {
	const rounds = 200
	quiet := 0
	for range rounds {
		before := w.sets.count() + w.deployments.count()
		w.follow()
		result := w.reconcile()
		w.follow()
		w.obey()
		if w.sets.count()+w.deployments.count() != before {
			quiet = 0
		} else if quiet++; quiet == 3 {
			return
		}
		time.Sleep(min(result.RequeueAfter, time.Second))
	}
	w.t.Fatalf("After %d rounds of Reconcile the deployment has not come to rest:%s", rounds, w.describe())
}

// roll gives the deployment another image, some time later.
func (w *rollout) roll(image string) {
	time.Sleep(time.Minute)
	w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = image })
}

func (w *rollout) edit(edit func(d *kit.Deployment)) {
	d := w.deployments.change(web.String(), edit)
	w.t.Note("the user wants %d × %s, paused: %v", d.Spec.Replicas, d.Spec.Template.Spec.Image, d.Spec.Paused)
}

// of is the ReplicaSet for an image; the case fails where there is none.
func (w *rollout) of(image string) *kit.ReplicaSet {
	for _, rs := range w.sets.all() {
		if rs.Spec.Template.Spec.Image == image {
			return rs
		}
	}
	w.t.Fatalf("There is no ReplicaSet for the template with image %s.", image)
	return nil
}

func (w *rollout) web() *kit.Deployment { return w.deployments.now(web.String()) }

// api is the API as Undo takes it.
func (w *rollout) api() API {
	return API{Deployments: unwatched[*kit.Deployment]{w.deployments}, ReplicaSets: unwatched[*kit.ReplicaSet]{w.sets}}
}

// unwatched is a server of the suite where something is asked for that can be watched.
type unwatched[T kit.Object] struct{ *server[T] }

func (unwatched[T]) Watch(context.Context, kit.ListOptions) (kit.Watch[T], error) {
	return nil, kit.NewStatusError(kit.ReasonBadRequest, "nobody watches here")
}
