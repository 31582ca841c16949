package controlplanetest

import (
	"errors"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// errTired is what an API server says that refuses a request.
var errTired = errors.New("the API server is tired")

// refused reports whether any request since the last Forget was refused.
func (w *rollout) refused() bool {
	return slices.ContainsFunc(w.server.Requests(), func(q fake.Request) bool { return errors.Is(q.Err, errTired) })
}

// written is how many requests since the last Forget were to write something.
func (w *rollout) written() int {
	return len(slices.DeleteFunc(w.server.Requests(), func(q fake.Request) bool {
		return !slices.Contains([]fake.Verb{fake.Create, fake.Update, fake.Delete}, q.Verb)
	}))
}

// honest calls Reconcile, and requires that it returns the error of a request that was refused.
func (w *rollout) honest() {
	w.server.Forget()
	if _, err := w.try(); err != nil || w.refused() {
		w.t.Require(errors.Is(err, errTired), "The API server refused a request, with the error %q. Reconcile should have returned that error, wrapped or not, and returned %s.", errTired, conform.Said(err))
	}
}

// stillAsks has an API server that refuses to say whether what was written still exists, of which
// the cache does not know.
func stillAsks(t *conform.T, w *rollout) {
	w.sets.Intercept(fake.Refuse(errTired, fake.Get, fake.List))
	w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image += "y" })
	w.dSeen.CatchUp()
	before := w.sets.Changes()
	w.honest()
	writes(t, w.sets.Changes()-before, 0, "Reconcile has created a ReplicaSet that its cache does not show yet, and the API server refuses to say whether it still exists. The user changed the template.")
	w.sets.Intercept()
}

// returnsConflicts has every Update of a ReplicaSet end in a conflict.
func returnsConflicts(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 6 })
	w.sets.Intercept(fake.Refuse(kit.NewConflict("replicasets", "web"), fake.Update))
	for range 3 {
		w.server.Forget()
		w.follow()
		_, err := w.try()
		if len(w.sets.Requests(fake.Update)) > 0 {
			t.Require(kit.IsConflict(err), "The deployment asks for 6 replicas instead of 4, and the Update of its ReplicaSet met a conflict. Reconcile should have returned that error, wrapped or not, and returned %s.", conform.Said(err))
		}
	}
	w.sets.Intercept()
	w.settle()
	w.wants("a", 6, "The deployment asks for 6 replicas, and no Update meets a conflict any longer.")
}

// waitsForOrphans has a deployment that is gone, and ReplicaSets of it that have not settled.
func waitsForOrphans(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "new"))
	w.stand(s, []standing{{image: "a", wants: 3, has: 5, available: 3}, {image: "b", unobserved: true}, {image: "c", has: 2}})
	w.deployments.Remove(web.String())
	before := w.describe()
	w.looks(3)
	now := w.describe()
	t.Require(now == before, "The deployment is gone. None of its ReplicaSets has settled, so that none of them is scaled to 0 or deleted yet. Before three calls of Reconcile they were: %s. After them: %s.", before, now)
	w.hear(nil)
	for range 10 {
		w.obey()
		w.looks(1)
		time.Sleep(time.Second)
	}
	t.Require(len(w.sets.All()) == 0, "The deployment is gone, and its ReplicaSets have settled. They are scaled to 0 and deleted, and are left: %s.", w.describe())
}

// goes has somebody delete a deployment, which somebody else keeps with a finalizer.
func goes(d *kit.Deployment) {
	now := time.Now()
	d.DeletionTimestamp, d.Finalizers = &now, []string{"somebody.else/keeps-it"}
}

// leavesTheDeletedAlone has a deployment that somebody else keeps with a finalizer.
func leavesTheDeletedAlone(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.edit(func(d *kit.Deployment) {
		goes(d)
		d.Spec.Replicas, d.Spec.Template.Spec.Image = 9, "b"
	})
	w.server.Forget()
	for range 3 {
		w.follow()
		w.reconcile()
	}
	t.Require(w.written() == 0, "The deployment is being deleted, and left alone until it is gone. Reconcile wrote %d times, and should have written nothing. The ReplicaSets are: %s.", w.written(), w.describe())
}

// goesOnWithOrphans has a deployment that is gone, and three empty ReplicaSets of it. One of them,
// each in turn, still has a pod.
func goesOnWithOrphans(t *conform.T, s Subject) {
	for _, stuck := range []string{"a", "b", "c"} {
		w := newRollout(t, s, newDeployment(4, "1", "1", "new"))
		w.stand(s, []standing{{image: "a"}, {image: "b"}, {image: "c"}})
		w.sets.Change(kit.Key(w.of(stuck)), func(rs *kit.ReplicaSet) { rs.Status.Replicas = 1 })
		w.deployments.Remove(web.String())
		w.looks(4)
		t.Require(len(w.sets.All()) == 1, "The deployment is gone, and so are the pods of its ReplicaSets but for one, of image %s. Each ReplicaSet that has settled at 0 is deleted, whatever the others do. After four calls of Reconcile these are left: %s.", stuck, w.describe())
	}
}

// saysThatTheNameIsTaken has a deployment be replaced by another with the same template, while the
// ReplicaSet of the first still has pods.
func saysThatTheNameIsTaken(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.deployments.Remove(web.String())
	w.deployments.Put(newDeployment(4, "1", "1", "a"))
	w.follow()
	w.server.Forget()
	_, err := w.try()
	if len(w.sets.Requests(fake.Create)) > 0 {
		t.Require(kit.IsAlreadyExists(err), "A deployment was deleted, and another with the same name and template created. The ReplicaSet of the first has the name of the new one, so that Create returned AlreadyExists. Reconcile should have returned that error, and returned %s.", conform.Said(err))
	}
}
