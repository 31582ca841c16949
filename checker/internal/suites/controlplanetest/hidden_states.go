package controlplanetest

import (
	"fmt"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// moment is a deployment of image new in the middle of something, and what has to come of its
// ReplicaSets while no pod comes or goes.
type moment struct {
	deployment *kit.Deployment
	sets       []standing // the oldest first
	why        string
}

// standing is a ReplicaSet as it stands. In the end it asks for so many pods, from least to most.
type standing struct {
	image, revision       string
	wants, has, available int
	ready                 int // 0 for no more than are available
	least, most           int
	unobserved            bool // its controller never reports on its last change
}

// steps are moments at which everything is settled that is to move.
var steps = []moment{
	{newDeployment(10, "3", "2", "new"), []standing{
		{image: "a", wants: 5, has: 5, available: 2, least: 3, most: 3}, {image: "b", wants: 5, has: 5, available: 2, least: 5, most: 5}, {image: "new", wants: 3, has: 3, least: 3, most: 3},
	}, "All ask for 13 pods. 8 must be available, and 3 new ones are not, so that 2 old ones may go in all that are not available: those of the oldest ReplicaSet."},
	{newDeployment(10, "2", "0", "new"), []standing{
		{image: "a", wants: 3, has: 3, available: 3, least: 1, most: 1}, {image: "b", wants: 3, has: 3, available: 3, least: 3, most: 3}, {image: "new", wants: 6, has: 6, available: 6, least: 6, most: 6},
	}, "12 pods are available and 10 must be, so that 2 available ones may go in all: those of the oldest ReplicaSet."},
	{newDeployment(10, "2", "0", "new"), []standing{
		{image: "a", wants: 1, has: 3, available: 3, least: 1, most: 1}, {image: "b", wants: 3, has: 3, available: 3, least: 3, most: 3}, {image: "new", wants: 6, has: 6, available: 6, least: 6, most: 6},
	}, "The oldest asks for 1 of its 3 pods, so that only 10 pods count as available, and 10 must be."},
	{newDeployment(4, "1", "1", "new"), []standing{
		{image: "a", wants: 4, has: 2, available: 2, least: 4, most: 4}, {image: "new", wants: 1, has: 1, available: 1, least: 1, most: 1},
	}, "The old one may have 4 pods at any moment, for which it asks, and the new one has 1, so that there is no room for another."},
	{newDeployment(3, "1", "0", "new"), []standing{
		{image: "new", wants: 4, has: 4, available: 4, least: 3, most: 3},
	}, "The new one has more than the deployment's replicas, if not more than replicas + surge: it is scaled down to 3."},
	{newDeployment(10, "0", "2", "new"), []standing{
		{image: "a", wants: 10, has: 10, available: 8, least: 8, most: 8}, {image: "new"},
	}, "8 pods must be available, and so many are. The 2 that are not may go, though other pods of their ReplicaSet are available."},
	{newDeployment(4, "0", "100%", "new"), []standing{
		{image: "a", wants: 3, has: 3, available: 1, most: 1}, {image: "new", wants: 1, has: 1, available: 1, least: 1, most: 1},
	}, "None has to be available, so that the 2 old pods go that are not, and the third in the same call or later. A ReplicaSet cannot ask for fewer than 0."},
	{newDeployment(4, "1", "1", "new"), []standing{
		{image: "a", wants: 3, has: 3, available: 3, least: 3, most: 3}, {image: "new", least: 2, most: 2},
	}, "There is room for 2 pods below replicas + surge, though surge is 1: the new ReplicaSet asks for so many."},
	{newDeployment(4, "1", "1", "new"), []standing{
		{image: "a", wants: 5, has: 5, available: 5, least: 3, most: 3}, {image: "new"},
	}, "There are replicas + surge pods, so that there is no room for a new one, and 3 must be available, so that 2 old ones may go."},
	{newDeployment(4, "0", "1", "new"), []standing{
		{image: "a", revision: "3", wants: 2, has: 2, available: 2, least: 1, most: 1}, {image: "b", revision: "1", wants: 2, has: 2, available: 2, least: 2, most: 2}, {image: "new", revision: "4"},
	}, "1 of the 4 old pods may go: one of the ReplicaSet that was created first, whatever its revision."},
	{newDeployment(2, "0", "100%", "new"), []standing{
		{image: "a", wants: 2, has: 2, available: 2}, {image: "new"},
	}, "None has to be available, so that both old pods go."},
	{newDeployment(10, "2", "0", "new"), []standing{
		{image: "a", wants: 6, has: 6, available: 6, least: 6, most: 6}, {image: "new", wants: 6, has: 6, available: 3, ready: 6, least: 6, most: 6},
	}, "9 pods are available and 10 must be, so that none may go. 3 more are ready, and not available yet."},
	{newDeployment(4, "3", "1", "new"), []standing{
		{image: "new", wants: 3, has: 3, available: 3, least: 4, most: 4},
	}, "There is room for 4 pods, and the new one is scaled up to replicas at most: to 4."},
}

// unsettled are moments at which a ReplicaSet may not be scaled yet.
var unsettled = []moment{
	{newDeployment(4, "1", "1", "new"), []standing{
		{image: "a", wants: 3, has: 5, available: 3, least: 3, most: 3}, {image: "new", wants: 4, has: 4, available: 4, least: 4, most: 4},
	}, "The old one has 2 pods more than it asks for. It has not settled, and is not scaled."},
	{newDeployment(4, "1", "1", "new"), []standing{
		{image: "a", wants: 3, has: 1, available: 1, least: 3, most: 3}, {image: "new", wants: 4, has: 4, available: 4, least: 4, most: 4},
	}, "The old one lacks 2 of the pods for which it asks. It has not settled, and is not scaled."},
	{newDeployment(4, "1", "1", "new"), []standing{
		{image: "a", unobserved: true}, {image: "new", wants: 2, has: 2, available: 2, least: 2, most: 2},
	}, "The old one asks for no pod, and is not observed: nothing is scaled."},
	{newDeployment(4, "1", "1", "new"), []standing{
		{image: "new", wants: 2, has: 1, available: 1, least: 2, most: 2},
	}, "The new one lacks 1 of the pods for which it asks. It has not settled, and is not scaled."},
	{newDeployment(4, "1", "1", "new"), []standing{
		{image: "a", wants: 3, has: 5, available: 3, least: 3, most: 3}, {image: "new"},
	}, "The old one counts for the 5 pods that it still has, so that there is no room for a new one, which is created with 0."},
	{pausedDeployment(5, "a"), []standing{
		{image: "a", wants: 3, has: 3, available: 3, least: 3, most: 3}, {image: "b", unobserved: true},
	}, "The deployment is paused. One of its ReplicaSets asks for no pod, and is not observed: nothing is scaled."},
	{pausedDeployment(4, "a"), []standing{
		{image: "a", wants: 3, has: 5, available: 3, least: 3, most: 3},
	}, "The deployment is paused. Its ReplicaSet has 2 pods more than it asks for: it has not settled, and is not scaled."},
}

// pausedByNumber are moments at which a paused deployment has no pods. The highest of its revisions has one digit
// more than the other.
var pausedByNumber = []moment{
	{pausedDeployment(3, "other"), []standing{{image: "a", revision: "9"}, {image: "b", revision: "10", least: 3, most: 3}},
		"All its ReplicaSets have 0, so that the one with the highest revision is scaled: b has 10, and a has 9."},
	{pausedDeployment(3, "other"), []standing{{image: "a", revision: "10", least: 3, most: 3}, {image: "b", revision: "9"}},
		"All its ReplicaSets have 0, so that the one with the highest revision is scaled: a has 10, and b has 9."},
}

func pausedDeployment(replicas int, image string) *kit.Deployment {
	d := newDeployment(replicas, "1", "1", image)
	d.Spec.Paused = true
	return d
}

// come calls Reconcile at each moment until nothing more can come of it.
func come(t *conform.T, s Subject, moments []moment) {
	for _, m := range moments {
		d := kit.Deployments.DeepCopy(m.deployment)
		w := newRollout(t, s, d)
		deaf := w.stand(s, m.sets)
		asked := fmt.Sprintf("The deployment asks for %d replicas of image %s, with maxSurge %s and maxUnavailable %s. Its ReplicaSets are: %s. %s",
			d.Spec.Replicas, d.Spec.Template.Spec.Image, d.Spec.MaxSurge, d.Spec.MaxUnavailable, w.describe(), m.why)
		t.Note("%s", asked)
		for range 6 {
			w.follow()
			w.reconcile()
			w.hear(deaf)
		}
		for _, set := range m.sets {
			got := w.of(set.image).Spec.Replicas
			t.Require(set.least <= got && got <= set.most, "%s Six calls of Reconcile later, in which no pod came or went, that for image %s asks for %d, and should ask for %d.", asked, set.image, got, set.least)
		}
	}
}

// stand puts the ReplicaSets at the server, each a second younger than the one before it. One
// without pods that is observed and new is left for Reconcile to create. It returns the images of
// those that are not observed.
func (w *rollout) stand(s Subject, sets []standing) (deaf map[string]bool) {
	deaf = map[string]bool{}
	for i, set := range sets {
		time.Sleep(time.Second)
		if set.image == "new" && set.has == 0 && set.wants == 0 {
			continue
		}
		revision := set.revision
		if revision == "" {
			revision = fmt.Sprint(i + 1)
		}
		rs := w.madeFor(s, set.image, revision, set.wants)
		rs.Status = kit.ReplicaSetStatus{Replicas: set.has, ReadyReplicas: max(set.ready, set.available), AvailableReplicas: set.available, ObservedGeneration: 1}
		w.sets.Put(rs)
		if set.unobserved {
			deaf[set.image] = true
			w.sets.Change(kit.Key(rs), func(rs *kit.ReplicaSet) { rs.Spec.MinReadySeconds = 1 })
		}
	}
	return deaf
}

// hear has the controller of each ReplicaSet report that it has seen the last change, and
// nothing else.
func (w *rollout) hear(deaf map[string]bool) {
	for _, rs := range w.ordered() {
		if rs.Status.ObservedGeneration != rs.Generation && !deaf[rs.Spec.Template.Spec.Image] {
			w.sets.Change(kit.Key(rs), func(rs *kit.ReplicaSet) { rs.Status.ObservedGeneration = rs.Generation })
		}
	}
}

// numbersByTheHighest has two ReplicaSets, and the template of the one with the lower revision, or
// with the same, comes back. Then it has one, and a template for which there is none.
func numbersByTheHighest(t *conform.T, s Subject) {
	for _, own := range []string{"7", "200", ""} {
		w := newRollout(t, s, newDeployment(4, "1", "1", "new"))
		w.stand(s, []standing{{image: "a", revision: "200", wants: 4, has: 4, available: 4}})
		if own != "" {
			w.stand(s, []standing{{image: "new", revision: own, wants: 1, has: 1, available: 1}})
			w.sets.Change(kit.Key(w.of("new")), func(rs *kit.ReplicaSet) { rs.Annotations["mine"] = "rs" })
		}
		w.sets.OnChange(func(e kit.Event[*kit.ReplicaSet], _ []*kit.ReplicaSet) {
			got := e.Object.Annotations[kit.RevisionAnnotation]
			if e.Object.Spec.Template.Spec.Image == "new" && got != own && got != "201" {
				t.Errorf("The new ReplicaSet had the revision %q, and the other one has 200. It was given the revision %q, and should have been given 201.", own, got)
			}
		})
		w.looks(4)
		mine := w.of("new").Annotations["mine"]
		t.Require(own == "" || mine == "rs", "Somebody had put the annotation mine=rs on the ReplicaSet that is the new one by now, and it says %q. Other annotations stay.", mine)
		got := w.of("new").Annotations[kit.RevisionAnnotation]
		t.Require(got == "201", "The new ReplicaSet had the revision %q, and the other one has 200. Four calls of Reconcile later it has %q, and should have 201: the new one has the highest.", own, got)
		w.edit(func(d *kit.Deployment) { d.Annotations[kit.RevisionAnnotation], d.Annotations["mine"] = "99", "d" })
		w.looks(3)
		got = w.web().Annotations[kit.RevisionAnnotation]
		t.Require(got == "201", "Somebody has written the revision 99 on the deployment, whose new ReplicaSet has 201. Three calls of Reconcile later it carries %q. The deployment's own annotation is that of the new ReplicaSet.", got)
		countsByTheOthers(t, w)
	}
}

// countsByTheOthers gives the deployment another template, and a revision that somebody made up, in
// one edit.
func countsByTheOthers(t *conform.T, w *rollout) {
	w.hear(nil)
	w.edit(func(d *kit.Deployment) {
		d.Annotations[kit.RevisionAnnotation], d.Spec.Template.Spec.Image = "999", "next"
	})
	w.looks(3)
	got := w.of("next").Annotations[kit.RevisionAnnotation]
	t.Require(got == "202", "The highest revision of a ReplicaSet is 201. Somebody has written 999 on the deployment, and changed its template. The new ReplicaSet has the revision %q, and should have 202: one more than the highest of the others.", got)
	got = w.web().Annotations["mine"]
	t.Require(got == "d", "Somebody has put the annotation mine=d on the deployment, and after some calls of Reconcile it says %q. Other annotations stay.", got)
}

// numbersWhilePaused has the template of an old ReplicaSet come back while the deployment is paused.
func numbersWhilePaused(t *conform.T, s Subject) {
	w := newRollout(t, s, pausedDeployment(4, "new"))
	w.stand(s, []standing{{image: "new", revision: "1", wants: 1, has: 1, available: 1}, {image: "a", revision: "2", wants: 4, has: 4, available: 4}})
	w.looks(4)
	own, carried := w.of("new").Annotations[kit.RevisionAnnotation], w.web().Annotations[kit.RevisionAnnotation]
	t.Require(own == "3" && carried == "3", "The deployment is paused, and its template is that of an old ReplicaSet, which had the revision 1; the other one has 2. "+
		"Four calls of Reconcile later that ReplicaSet has the revision %q, and its deployment carries %q. It should be 3 for both: the new one has the highest, in a paused deployment, too.", own, carried)
}

// countsWhatGoes has somebody delete a ReplicaSet, which somebody else keeps with a finalizer: first the old one,
// and then the new one.
func countsWhatGoes(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(4, "1", "0", "new"))
	w.stand(s, []standing{{image: "a", wants: 4, has: 4, available: 4}})
	w.going("a")
	for range 3 {
		w.follow()
		w.reconcile()
		w.hear(nil)
	}
	const counts = " is being deleted, and kept by a finalizer. It is one like any other for as long as it exists."
	w.wants("new", 1, "The old ReplicaSet"+counts+" With its 4 pods there is room for 1 below replicas + surge.")
	w.follow()
	w.reconcile()
	got := w.web().Status
	t.Require(got.Replicas == 4 && got.AvailableReplicas == 4, "The old ReplicaSet, with 4 pods that are available,%s Status sums up the ReplicaSets, and says replicas %d and availableReplicas %d.", counts, got.Replicas, got.AvailableReplicas)
	w = newRollout(t, s, newDeployment(4, "1", "1", "new"))
	w.stand(s, []standing{{image: "new", wants: 4, has: 4, available: 4}})
	w.going("new")
	w.server.Forget()
	for range 3 {
		w.follow()
		_, err := w.try()
		created := len(w.sets.Requests(fake.Create))
		t.Require(err == nil && created == 0, "The new ReplicaSet%s Reconcile should have created none, and returned no error. It sent %s, and returned %s.", counts, conform.Count(created, "Create"), conform.Said(err))
	}
	w.wants("new", 4, "The new ReplicaSet"+counts)
	got = w.web().Status
	t.Require(got.UpdatedReplicas == 4, "The new ReplicaSet, with 4 pods,%s Status says updatedReplicas %d.", counts, got.UpdatedReplicas)
}

// going has somebody delete the ReplicaSet for an image, and somebody else keep it. Its controller has heard of that.
func (w *rollout) going(image string) {
	w.sets.Change(kit.Key(w.of(image)), func(rs *kit.ReplicaSet) {
		now := time.Now()
		rs.DeletionTimestamp, rs.Finalizers = &now, []string{"somebody.else/keeps-it"}
	})
	w.hear(nil)
}

// knowsItByTheLabel has a ReplicaSet with the hash of the template as its label, under another
// name, and with another template by now.
func knowsItByTheLabel(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(2, "1", "1", "new"))
	rs := w.madeFor(s, "new", "1", 2)
	rs.Name, rs.Spec.Template.Annotations = "web-by-hand", map[string]string{"touched": "by hand"}
	w.sets.Put(rs)
	w.looks(3)
	sets := w.sets.All()
	t.Require(len(sets) == 1, "The only ReplicaSet of the deployment is web-by-hand. Its label %s is the hash of the deployment's template, so that it is the new one. Three calls of Reconcile later there are: %s.", kit.PodTemplateHash, conform.Listed(keys(sets)))
	w.wants("new", 2, "The only ReplicaSet is the new one.")
}

// isReplacedMeanwhile has somebody delete the ReplicaSet that Reconcile has just created, and create
// another of its name.
func isReplacedMeanwhile(w *rollout) {
	w.roll("d")
	w.follow()
	w.reconcile()
	rs := w.of("d")
	w.sets.Remove(kit.Key(rs))
	rs.UID = ""
	w.sets.Put(rs)
	w.settle()
	w.wants("d", 10, "The ReplicaSet for image d was deleted before the cache had it, and somebody created another of its name, which the cache has. What Reconcile had written is gone, so that nobody waits for it.")
}

// undoesAcrossGaps has no ReplicaSet of the revision right below the current one, and then none of
// any earlier one.
func undoesAcrossGaps(t *conform.T, s Subject, w *rollout) {
	w.sets.Remove(kit.Key(w.of("c")))
	err := w.undo(s, 0)
	image := w.web().Spec.Template.Spec.Image
	t.Require(err == nil && image == "a", "The current revision is 6, of image b. There is none of revision 5, and 4 is of image a. Undo(ns, web, 0) put the template with image %s back, and returned %s. It should have put back that with image a.", image, conform.Said(err))
	w = newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	err = w.undo(s, 0)
	t.Require(kit.IsNotFound(err), "There is one revision, the current one, and none below it. Undo(ns, web, 0) should have returned NotFound, and returned %s.", conform.Said(err))
	w.edit(func(d *kit.Deployment) {
		d.Spec.Template.Labels["tier"], d.Spec.Template.Annotations = "front", map[string]string{"note": "x"}
		d.Spec.MinReadySeconds = 3
	})
	w.settle()
	err = w.undo(s, 0)
	t.Require(err == nil, "There are two revisions, and Undo(ns, web, 0) returned %s.", conform.Said(err))
	seconds := w.web().Spec.MinReadySeconds
	t.Require(seconds == 3, "The minReadySeconds of the deployment were set to 3, and after Undo(ns, web, 0) they are %d. Undo puts the template back, and nothing else.", seconds)
	template := w.web().Spec.Template
	t.Require(len(template.Annotations) == 0, "The template of revision 2 has an annotation, that of revision 1 has none, and after Undo(ns, web, 0) the template has the annotations %v.", template.Annotations)
	t.Same(map[string]string{"app": "web"}, template.Labels, "The template of revision 2 has one label more than that of revision 1, which Undo(ns, web, 0) has put back. Its labels are wrong")
}

// sums holds the status of a paused deployment, in which nothing moves, against its ReplicaSets.
func sums(t *conform.T, s Subject) {
	w := newRollout(t, s, pausedDeployment(4, "new"))
	w.stand(s, []standing{{image: "a", wants: 4, has: 4, available: 2}, {image: "new", wants: 1, has: 2}})
	stranger := w.madeFor(s, "old", "9", 3) // it has not settled, so that it is left alone
	stranger.OwnerReferences[0].UID, stranger.Status.Replicas = "uid-of-an-older-web", 5
	w.sets.Put(stranger)
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ReadyReplicas = 3 })
	w.sumsTo(kit.DeploymentStatus{Replicas: 6, UpdatedReplicas: 2, ReadyReplicas: 3, AvailableReplicas: 2, UnavailableReplicas: 4}, 3)
	w.roll("other")
	w.sumsTo(kit.DeploymentStatus{Replicas: 6, ReadyReplicas: 3, AvailableReplicas: 2, UnavailableReplicas: 4}, 3)
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) {
		rs.Spec.Replicas, rs.Status = 2, kit.ReplicaSetStatus{Replicas: 4, ReadyReplicas: 4, AvailableReplicas: 4, ObservedGeneration: rs.Generation + 1}
	})
	w.sumsTo(kit.DeploymentStatus{Replicas: 6, ReadyReplicas: 4, AvailableReplicas: 4, UnavailableReplicas: 2}, 0)
	// These numbers contradict each other, but unavailable is at least 0 all the same.
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = 9, 9 })
	w.sumsTo(kit.DeploymentStatus{Replicas: 6, ReadyReplicas: 9, AvailableReplicas: 9}, 0)
}

// sumsTo requires a status. Unavailable, which is counted by status in it, may be counted by spec.
func (w *rollout) sumsTo(want kit.DeploymentStatus, bySpec int) {
	w.looks(3)
	d := w.web()
	want.ObservedGeneration = d.Generation
	if d.Status.UnavailableReplicas == bySpec {
		want.UnavailableReplicas = bySpec
	}
	w.t.Same(want, d.Status, fmt.Sprintf("The deployment is paused, and its ReplicaSets are, but for that of old, which an older deployment of its name controls: %s. Three calls of Reconcile later its status is wrong", w.describe()))
}

// undoesByTheNumbers has ReplicaSets whose revisions rise by their names, and then fall, in a
// deployment that is paused.
func undoesByTheNumbers(t *conform.T, s Subject) {
	for _, paused := range []bool{false, true} {
		d := newDeployment(2, "1", "1", "new")
		d.Annotations, d.Spec.Paused = map[string]string{kit.RevisionAnnotation: "11"}, paused
		w := newRollout(t, s, d)
		last, first := reversed(s, d.Spec.Template)
		low, high := first, last
		if paused {
			low, high = last, first
		}
		w.stand(s, []standing{{image: low, revision: "2"}, {image: high, revision: "10"}, {image: "new", revision: "11", wants: 2, has: 2, available: 2}})
		before := w.web()
		err := w.undo(s, 0)
		got := w.web()
		image := got.Spec.Template.Spec.Image
		before.Spec.Template, before.Generation, before.ResourceVersion = got.Spec.Template, got.Generation, got.ResourceVersion
		t.Same(before, got, "Undo puts the template back, and nothing but the template is changed. The deployment is wrong in something else")
		t.Require(got.Spec.Paused == paused, "The deployment was paused: %t. After Undo(ns, web, 0) it is paused: %t. Undo puts the template back, and nothing else.", paused, got.Spec.Paused)
		t.Require(paused && err != nil || image == high, "The ReplicaSets have the revisions 2 (image %s), 10 (image %s) and 11 (image new, which is the deployment's own template). "+
			"Undo(ns, web, 0) should have put image %s back, put %s back, and returned the error %v.", low, high, high, image, err)
	}
}
