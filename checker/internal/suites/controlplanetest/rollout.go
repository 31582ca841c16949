package controlplanetest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// rollout is a world with one deployment, ns/web, in which the suite plays the
// ReplicaSet controller.
type rollout struct {
	t           *conform.T
	server      *fake.Server
	deployments *fake.Resource[*kit.Deployment]
	sets        *fake.Resource[*kit.ReplicaSet]
	dSeen       *fake.Informer[*kit.Deployment]
	sSeen       *fake.Informer[*kit.ReplicaSet]
	r           DeploymentReconciler

	actor  *conform.Actor
	broken map[string]bool // images whose pods never become available

	// guarded by the server's lock
	mayMost, mayLeast int            // the fenceposts
	crossed           string         // how one was crossed, the first time
	still             map[string]int // by image, the spec.replicas that have to stay; nil while they may change
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
	server := fake.NewServer(t)
	w := &rollout{
		t: t, server: server, deployments: fake.Serve(server, kit.Deployments), sets: fake.Serve(server, kit.ReplicaSets),
		actor: t.Named("API server"), broken: map[string]bool{},
	}
	w.sets.Show, w.deployments.Show = showSet, showDeployment
	w.dSeen, w.sSeen = fake.NewInformer(w.deployments), indexed(w.sets, "controller", byController)
	w.forget()
	w.sets.OnChange(func(_ kit.Event[*kit.ReplicaSet], standing []*kit.ReplicaSet) { w.measure(standing) })
	w.deployments.Put(d)
	t.Do(func() {
		w.r = s.NewDeploymentReconciler(DeploymentParts{w.deployments, w.sets, w.dSeen.Cache, w.sSeen.Cache})
	}, "NewDeploymentReconciler(…)")
	w.follow()
	return w
}

// forget starts measuring afresh, without fenceposts.
func (w *rollout) forget() { w.within(1<<30, 0) }

// within sets the fenceposts from now on.
func (w *rollout) within(most, least int) {
	w.mayMost, w.mayLeast, w.crossed = most, least, ""
}

// kept requires that no fencepost was crossed since within.
func (w *rollout) kept() {
	w.t.Require(w.crossed == "", "%s", w.crossed)
}

// measure is called with every change, and all ReplicaSets as they stand then. It counts
// each for the worst that its numbers can mean.
func (w *rollout) measure(standing []*kit.ReplicaSet) {
	w.stands(standing)
	most, least := 0, 0
	var sets []string
	for _, rs := range standing {
		most += max(rs.Spec.Replicas, rs.Status.Replicas)
		least += min(rs.Spec.Replicas, rs.Status.AvailableReplicas)
		sets = append(sets, rs.Spec.Template.Spec.Image+" "+numbers(rs))
	}
	switch {
	case w.crossed != "":
		return
	case most > w.mayMost:
		w.crossed = fmt.Sprintf("After %v there could be %d pods: %s. At no moment may there be more than replicas + surge, %d.", w.t.Elapsed(), most, strings.Join(sets, "; "), w.mayMost)
	case least < w.mayLeast:
		w.crossed = fmt.Sprintf("After %v only %d pods were sure to be available: %s. At no moment may there be fewer than replicas - unavailable, %d.", w.t.Elapsed(), least, strings.Join(sets, "; "), w.mayLeast)
	default:
		return
	}
	w.actor.Breaks("%s", w.crossed)
}

// stands notes the first change of a number that has to stay.
func (w *rollout) stands(standing []*kit.ReplicaSet) {
	for _, rs := range standing {
		image, got := rs.Spec.Template.Spec.Image, rs.Spec.Replicas
		if want, must := w.still[image]; must && got != want {
			w.actor.Breaks("The ReplicaSet for image %s asked for %s, which has to stay, and asks for %d now", image, conform.Count(want, "pod"), got)
			w.still = nil
			return
		}
	}
}

// follow lets the caches catch up.
func (w *rollout) follow() {
	w.dSeen.CatchUp()
	w.sSeen.CatchUp()
}

// reconcile calls Reconcile once and requires that it succeeds.
func (w *rollout) reconcile() kit.Result {
	result, err := w.try()
	w.t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
	return result
}

func (w *rollout) try() (kit.Result, error) {
	call := w.t.Call("Reconcile(%v)", web)
	result, err := w.r.Reconcile(w.t.Context(), web)
	call.Returned("%s", showResult(result, err))
	w.t.Note("the ReplicaSets are: %s", w.describe())
	fake.Untouched(w.t, fmt.Sprintf("Reconcile(%v)", web), w.dSeen.Cache, w.sSeen.Cache)
	return result, err
}

// looks calls Reconcile so often, each time with caches that have caught up. The ReplicaSets
// stand still meanwhile.
func (w *rollout) looks(times int) {
	for range times {
		w.follow()
		w.reconcile()
	}
}

// describe is every ReplicaSet with its numbers, by image.
func (w *rollout) describe() string {
	var words []string
	for _, rs := range w.ordered() {
		words = append(words, rs.Spec.Template.Spec.Image+" "+numbers(rs))
	}
	return strings.Join(words, "; ")
}

// wants requires that the ReplicaSet for an image asks for so many replicas. Message is a
// sentence.
func (w *rollout) wants(image string, want int, message string) {
	got := w.of(image).Spec.Replicas
	w.t.Require(got == want, "%s The ReplicaSet for image %s asks for %s, and should ask for %d. All of them: %s.", message, image, conform.Count(got, "pod"), want, w.describe())
}

func (w *rollout) ordered() []*kit.ReplicaSet {
	all := w.sets.All()
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
			w.sets.Change(kit.Key(rs), func(rs *kit.ReplicaSet) { rs.Status = want })
		}
	}
}

// settle lets everybody act in turn until nothing changes.
func (w *rollout) settle() {
	const rounds = 200
	quiet := 0
	for range rounds {
		before := w.sets.Changes() + w.deployments.Changes()
		w.follow()
		result := w.reconcile()
		w.kept()
		w.follow()
		w.obey()
		w.kept()
		if w.sets.Changes()+w.deployments.Changes() != before {
			quiet = 0
		} else if quiet++; quiet == 3 {
			return
		}
		time.Sleep(min(result.RequeueAfter, time.Second))
	}
	w.t.Fatalf("After %d rounds of Reconcile the deployment has not come to rest: %s.", rounds, w.describe())
}

// halfway rolls to another image and stops when pods of both are there. All caches follow.
func (w *rollout) halfway(image string) {
	w.roll(image)
	w.follow()
	w.reconcile()
	w.follow()
	w.obey()
	w.follow()
	w.obey()
	w.sSeen.CatchUp()
	w.forget()
}

// roll gives the deployment another image, some time later.
func (w *rollout) roll(image string) {
	time.Sleep(time.Minute)
	w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = image })
}

func (w *rollout) edit(edit func(d *kit.Deployment)) {
	d := w.deployments.Change(web.String(), edit)
	w.t.Note("the user wants %d × image %s, paused: %t", d.Spec.Replicas, d.Spec.Template.Spec.Image, d.Spec.Paused)
}

// of is the ReplicaSet for an image; the case fails where there is none.
func (w *rollout) of(image string) *kit.ReplicaSet {
	for _, rs := range w.sets.All() {
		if rs.Spec.Template.Spec.Image == image {
			return rs
		}
	}
	w.t.Fatalf("There is no ReplicaSet for the template with image %s. All that there are: %s.", image, cmp.Or(w.describe(), "none"))
	return nil
}

func (w *rollout) web() *kit.Deployment { return w.deployments.Now(web.String()) }

// api is the API as Undo takes it.
func (w *rollout) api() API {
	return API{Deployments: w.deployments, ReplicaSets: w.sets}
}

// undo puts back the template of a revision of the deployment, of the one before if that is 0.
func (w *rollout) undo(s Subject, revision int64) error {
	return conform.Do(w.t.Actor, func() error { return s.Undo(w.t.Context(), w.api(), "ns", "web", revision) }, "Undo(ns, web, %d)", revision)
}

// indexed is an informer of r whose cache has an index.
func indexed[T kit.Object](r *fake.Resource[T], name string, by kit.IndexFunc[T]) *fake.Informer[T] {
	i := fake.NewInformer(r)
	_ = i.Cache.AddIndexers(map[string]kit.IndexFunc[T]{name: by}) // the first index there
	return i
}

// The indices that the contract names.
func byController(rs *kit.ReplicaSet) ([]string, error) {
	if owner := rs.ControllerOf(); owner != nil {
		return []string{owner.Kind + "/" + rs.Namespace + "/" + owner.Name}, nil
	}
	return nil, nil
}

func byNode(pod *kit.Pod) ([]string, error) {
	if pod.Spec.NodeName == "" {
		return nil, nil
	}
	return []string{pod.Spec.NodeName}, nil
}
