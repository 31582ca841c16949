package controlplanetest

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func checkUnhealthy(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(10, "3", "2", "a"))
	w.broken["bad"] = true
	w.settle()
	w.within(13, 8)
	w.roll("bad")
	w.settle()
	w.wants("a", 8, "The pods of image bad never become available, so that of 10 old ones 8 have to stay: replicas - unavailable.")
	w.wants("bad", 5, "With 8 old pods there is room for 5 new ones: replicas + surge is 13.")
	w.roll("good")
	for range 10 {
		w.follow()
		w.reconcile()
		w.follow()
		if w.of("bad").Spec.Replicas < 5 {
			break
		}
		w.obey()
		time.Sleep(time.Second)
	}
	t.Require(w.of("bad").Spec.Replicas < 5, "The rollout to image good has to make room. The 5 pods of image bad are not available, so that they go first, and in 10 rounds none of them was scaled away: %s.", w.describe())
	w.wants("a", 8, "The pods of image a are available, and those of image bad, which are not, go first.")
	w.settle()
	w.wants("good", 10, "The rollout to image good has come to rest, after one to image bad that never could.")
	w.kept()
	// Some of the old ones fail while the new ones do not come up.
	w = newRollout(t, s, newDeployment(10, "3", "2", "a"))
	w.settle()
	w.broken["a"], w.broken["bad"] = true, true
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = 6, 6 })
	w.roll("bad")
	w.settle()
	w.wants("a", 8, "Of 10 old pods 4 are not available, nor are those of the new image. Those of the new ReplicaSet are no reserve, so that only 2 of the old ones may go.")
	oldestFirst(t, s)
	thenByName(t, s)
	come(t, s, steps)
}

// oldestFirst has two old ReplicaSets of which the older one comes later by name, with five
// available pods each, and lets the third template take the place of five.
func oldestFirst(t *conform.T, s Subject) {
	d := newDeployment(10, "5", "0", "")
	older, newer := reversed(s, d.Spec.Template)
	d.Spec.Template.Spec.Image = older
	w := newRollout(t, s, d)
	w.settle()
	shrinks := func(image string, from int) {
		for range 20 {
			w.follow()
			w.reconcile()
			w.follow()
			if w.of(older).Spec.Replicas+w.of(newer).Spec.Replicas < from {
				return
			}
			w.obey()
			time.Sleep(time.Second)
		}
		t.Fatalf("The pods of image %s are available, and no old ReplicaSet is scaled down.", image)
	}
	w.roll(newer)
	w.follow()
	w.reconcile()
	shrinks(newer, 15)
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = true })
	w.settle()
	const step = "With a surge of 5 of 10 replicas, five pods are old and five new after the first step."
	w.wants(older, 5, step)
	w.wants(newer, 5, step)
	w.edit(func(d *kit.Deployment) { d.Spec.Paused, d.Spec.Template.Spec.Image = false, "third" })
	shrinks("third", 10)
	w.wants(newer, 5, fmt.Sprintf("Of two old ReplicaSets the older one, %s, is scaled down first. The newer one, %s, comes first only by its name.", w.of(older).Name, w.of(newer).Name))
	w.settle()
}

// thenByName has two old ReplicaSets that were created in the same moment, with two available
// pods each, of which one may go.
func thenByName(t *conform.T, s Subject) {
	d := newDeployment(4, "0", "1", "third")
	w := newRollout(t, s, d)
	last, first := reversed(s, d.Spec.Template)
	for i, image := range []string{last, first} {
		w.sets.Put(w.madeFor(s, image, strconv.Itoa(i+1), 2))
	}
	for range 20 {
		w.follow()
		w.reconcile()
		w.follow()
		if w.of(first).Spec.Replicas+w.of(last).Spec.Replicas < 4 {
			break
		}
		w.obey()
		time.Sleep(time.Second)
	}
	said := fmt.Sprintf("Two old ReplicaSets were created in the same moment, and one of their four pods may go. By name %s comes before %s.", w.of(first).Name, w.of(last).Name)
	w.wants(last, 2, said)
	w.wants(first, 1, said)
	w.settle()
}

// madeFor is a ReplicaSet of ns/web for another image, with so many pods, all of them available.
func (w *rollout) madeFor(s Subject, image, revision string, pods int) *kit.ReplicaSet {
	d := w.web()
	d.Spec.Template.Spec.Image = image
	hash := s.TemplateHash(d.Spec.Template)
	rs := kit.ReplicaSets.New()
	rs.Namespace, rs.Name = d.Namespace, d.Name+"-"+hash
	rs.Labels = map[string]string{"app": "web", kit.PodTemplateHash: hash}
	rs.Annotations = map[string]string{kit.RevisionAnnotation: revision}
	rs.OwnerReferences = []kit.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: d.Name, UID: d.UID, Controller: true}}
	rs.Spec = kit.ReplicaSetSpec{Replicas: pods, Template: d.Spec.Template}
	rs.Spec.Template.Labels = maps.Clone(rs.Labels)
	rs.Spec.Selector.MatchLabels = maps.Clone(rs.Labels)
	rs.Status = kit.ReplicaSetStatus{Replicas: pods, ReadyReplicas: pods, AvailableReplicas: pods, ObservedGeneration: 1}
	return rs
}

// reversed are two images of which the first has the later hash.
func reversed(s Subject, template kit.PodTemplateSpec) (older, newer string) {
	hash := func(image string) string {
		template.Spec.Image = image
		return s.TemplateHash(template)
	}
	if older, newer = "one", "two"; hash(older) < hash(newer) {
		older, newer = newer, older
	}
	return older, newer
}

func checkSettled(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(10, "2", "2", "a"))
	w.settle()
	w.roll("b")
	w.follow()
	w.reconcile() // the new one appears, and perhaps more
	w.follow()
	frozen := w.describe()
	for range 3 {
		w.reconcile()
		w.follow()
		now := w.describe()
		t.Require(frozen == now, "Status.observedGeneration of a ReplicaSet is older than its generation: its controller has not seen its last change, and nothing may be scaled or created. Before Reconcile: %s. After it: %s.", frozen, now)
	}
	// All are observed, and one has not settled: its pods are still being created.
	for _, rs := range w.ordered() {
		w.sets.Change(kit.Key(rs), func(rs *kit.ReplicaSet) {
			rs.Status.ObservedGeneration = rs.Generation
			if rs.Spec.Template.Spec.Image == "b" {
				rs.Status = kit.ReplicaSetStatus{ObservedGeneration: rs.Generation}
			}
		})
	}
	moving := w.of("b").Spec.Replicas
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 1 })
	w.follow()
	w.reconcile()
	w.wants("b", moving, "The status.replicas of a ReplicaSet are not its spec.replicas yet. It has not settled, and is not scaled.")
	w.settle()
	w.wants("b", 1, "The deployment asks for 1 replica, and has come to rest.")
	createsWhenObserved(t, s)
	come(t, s, unsettled)
}

func checkOwnWrites(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(10, "2", "2", "a"))
	// A creation that the cache does not show is not made again, and nothing else is.
	w.reconcile()
	before := w.sets.Changes()
	stillAsks(t, w)
	for range 3 {
		w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image += "x" })
		w.dSeen.CatchUp()
		result := w.reconcile()
		writes := w.sets.Changes() - before
		t.Require(writes == 0, "Reconcile has created a ReplicaSet that its cache does not show yet. The user changed the template, and the next Reconcile wrote to ReplicaSets all the same (%d times), by numbers that it cannot know.", writes)
		again := result.RequeueAfter
		t.Require(again > 0 && again <= time.Second, "Reconcile waits for a write of its own that its cache does not show yet. It should have asked to be called again within 1s, and returned RequeueAfter %v.", again)
	}
	w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = "a" })
	w.settle()
	backAndForth(w)
	arrivesInPart(t, s)
	goneInPart(t, s)
	remembersAfterAnError(t, s)
	waitsForOtherWrites(t, s)
	waitsForItsUpdate(t, s)
	waitsWhilePaused(t, s)
	twoNamespaces(t, s)
	severalAtOnce(t, s)
	// What was written and is gone never comes.
	w.roll("c")
	w.follow()
	w.reconcile()
	w.sets.Remove(kit.Key(w.of("c")))
	time.Sleep(time.Second)
	w.settle()
	w.wants("c", 10, "The ReplicaSet for image c was deleted before the cache had it, so that nobody waits for it, and another one takes its place.")
	isReplacedMeanwhile(w)
}

// backAndForth has a user who goes back and forth in the middle of a rollout. First the cache of
// ReplicaSets stands still. Then it catches up as soon as Reconcile has looked at it: what was
// missing then is there when Reconcile asks about it, and was not counted.
func backAndForth(w *rollout) {
	for _, catchUp := range []func(){nil, w.sSeen.CatchUp} {
		w.halfway("b")
		w.within(12, 8)
		w.sSeen.Cache.OnLook(catchUp)
		for _, image := range []string{"b", "a", "b", "a"} {
			w.edit(func(d *kit.Deployment) { d.Spec.Template.Spec.Image = image })
			w.dSeen.CatchUp()
			_, _ = w.try()
			w.kept()
		}
		w.sSeen.Cache.OnLook(nil)
		w.forget()
		w.settle()
	}
}

func checkRollback(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	for _, image := range []string{"b", "c"} {
		w.roll(image)
		w.settle()
	}
	first := w.of("a")
	time.Sleep(time.Minute)
	undone := func(revision int64, about string) {
		err := w.undo(s, revision)
		t.Require(err == nil, "Undo(ns, web, %d) returned %s: %s.", revision, conform.Said(err), about)
	}
	const history = "image a has revision 1, b 2 and c 3"
	undone(1, history)
	image := w.web().Spec.Template.Spec.Image
	t.Require(image == "a", "Undo(ns, web, 1) put the template with image %s back, and should have put back that with image a: %s.", image, history)
	t.Same(map[string]string{"app": "web"}, w.web().Spec.Template.Labels, "Undo did not put back the labels of the template as the user had written them, without the hash")
	w.settle()
	sets := w.sets.All()
	t.Require(len(sets) == 3, "The template of image a is back, for which there is a ReplicaSet. There were 3 in all, and now there are %d: %s.", len(sets), w.describe())
	t.Require(w.of("a").UID == first.UID, "The template of image a is back, and its ReplicaSet, %s, was replaced by another one, %s.", first.UID, w.of("a").UID)
	w.wants("a", 4, "The rollback to image a has come to rest.")
	revision := w.of("a").Annotations[kit.RevisionAnnotation]
	t.Require(revision == "4", "The template of image a is back. The highest revision was 3, so that its ReplicaSet gets revision 4. It has revision %q.", revision)
	revision = w.web().Annotations[kit.RevisionAnnotation]
	t.Require(revision == "4", "The new ReplicaSet of the deployment has revision 4, and the deployment carries revision %q.", revision)
	undone(0, "revision 4 is the current one, and 3 is below it")
	image = w.web().Spec.Template.Spec.Image
	t.Require(image == "c", "Undo(ns, web, 0) put the template with image %s back. The current revision is 4, of image a, and the highest below is 3, of image c.", image)
	w.settle()
	undoesItsOwn(t, s, w)
	w.deployments.Intercept(atFirst(4, kit.NewConflict("deployments", web.String()), fake.Update))
	undone(2, "four Updates in a row met a conflict, after each of which Undo tries again; after five in a row it may give up")
	w.deployments.Intercept()
	w.settle()
	w.wants("b", 4, "The rollback to image b has come to rest.")
	undoesAcrossGaps(t, s, w)
	undoesByTheNumbers(t, s)
	numbersByTheHighest(t, s)
	numbersWhilePaused(t, s)
	knowsItByTheLabel(t, s)
	countsWhatGoes(t, s)
}

// undoesItsOwn has Undo look for a revision that nobody has, and then only the ReplicaSet of
// an older deployment of this name.
func undoesItsOwn(t *conform.T, s Subject, w *rollout) {
	for _, revision := range []int64{77, -1} {
		err := w.undo(s, revision)
		t.Require(kit.IsNotFound(err), "There is no revision %d. Undo of it should have returned NotFound, and returned %s.", revision, conform.Said(err))
	}
	stranger := w.of("a")
	stranger.Name, stranger.OwnerReferences[0].UID = "web-of-old", "uid-of-an-older-web"
	stranger.Annotations[kit.RevisionAnnotation] = "77"
	w.sets.Put(stranger)
	err := w.undo(s, 77)
	t.Require(kit.IsNotFound(err), "Revision 77 is of a ReplicaSet that an older deployment of this name controls, with another UID. Undo of it should have returned NotFound, and returned %s.", conform.Said(err))
	w.sets.Remove(kit.Key(stranger))
}

func checkPaused(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = true })
	w.roll("b")
	w.settle()
	t.Require(len(w.sets.All()) == 1, "The deployment is paused and got another template. It should have started no rollout, and the ReplicaSets are: %s.", w.describe())
	revision := w.web().Annotations[kit.RevisionAnnotation]
	t.Require(revision == "1" || revision == "", "The deployment is paused and got another template, for which there is no ReplicaSet. The only one has revision 1, and the deployment carries revision %q.", revision)
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 6 })
	w.settle()
	w.wants("a", 6, "The deployment is paused, asks for 6 replicas now, and has one ReplicaSet, which is scaled in spite of the pause.")
	d := w.web()
	t.Require(d.Generation == d.Status.ObservedGeneration, "The deployment is paused, and its status is kept up all the same. It is at generation %d, and its observedGeneration is %d.", d.Generation, d.Status.ObservedGeneration)
	waitsToSettle(t, w)
	pausedMidway(t, w)
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 2 })
	w.settle()
	w.wants("b", 2, "The deployment asks for 2 replicas now, and has come to rest.")
	for _, want := range []int{5, 2} {
		w.edit(func(d *kit.Deployment) { d.Spec.MinReadySeconds, d.Spec.Paused = want, want == 2 })
		w.settle()
		seconds := w.of("b").Spec.MinReadySeconds
		t.Require(seconds == want, "The minReadySeconds of the deployment were set to %d, paused: %t. Those of its ReplicaSet are %d.", want, want == 2, seconds)
	}
	pausedAtNothing(t, s)
	come(t, s, pausedByNumber)
	w = newRollout(t, s, pausedDeployment(3, "a"))
	w.looks(3)
	t.Require(len(w.sets.All()) == 0, "The deployment is paused and has no ReplicaSet, so that none is created for it. Three calls of Reconcile later there are: %s.", w.describe())
}

// pausedMidway pauses the deployment after the first step of a rollout, changes its replicas,
// which must move nothing, and ends the pause.
func pausedMidway(t *conform.T, w *rollout) {
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = false })
	w.follow()
	w.reconcile()
	w.follow()
	w.obey()
	w.follow()
	a, b := w.of("a").Spec.Replicas, w.of("b").Spec.Replicas
	t.Require(a > 0 && b > 0, "After one step of a rollout, of which the deployment is not paused, there should be old and new pods, and the ReplicaSets are: %s.", w.describe())
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = true })
	w.still = map[string]int{"a": a, "b": b}
	w.settle()
	stays := fmt.Sprintf("The deployment was paused in the middle of a rollout, when a wanted %d and b %d, and two ReplicaSets have pods: a paused one does not continue it.", a, b)
	w.wants("a", a, stays)
	w.wants("b", b, stays)
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 9 })
	w.settle()
	const paused = "The deployment is paused in the middle of a rollout, and two ReplicaSets have pods: none of them is scaled, though other replicas are asked for."
	w.wants("a", a, paused)
	w.wants("b", b, paused)
	w.still = nil
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = false })
	w.settle()
	const over = "The pause is over, 9 replicas are asked for, and the rollout to image b has come to rest."
	w.wants("a", 0, over)
	w.wants("b", 9, over)
}

func checkHistory(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(2, "1", "0", "v1"))
	w.settle()
	for i := 2; i <= 12; i++ {
		w.roll("v" + strconv.Itoa(i))
		w.settle()
	}
	t.Require(len(w.sets.All()) == 11, "There were twelve templates, and all rollouts are complete. The current ReplicaSet and ten old ones should be left, and there are %d: %s.", len(w.sets.All()), conform.Listed(w.images()))
	t.Require(!slices.Contains(w.images(), "v1"), "Of twelve templates the one of the lowest revision, v1, should have lost its ReplicaSet. There are: %s.", conform.Listed(w.images()))
	w.broken["bad"] = true
	two := 2
	w.edit(func(d *kit.Deployment) { d.Spec.RevisionHistoryLimit = &two })
	w.roll("bad")
	w.settle()
	t.Require(len(w.sets.All()) == 12, "The rollout to image bad never completes, so that no old ReplicaSet is deleted. There were 12, and there are %d: %s.", len(w.sets.All()), conform.Listed(w.images()))
	w.roll("v13")
	w.settle()
	left := slices.Sorted(slices.Values(w.images()))
	t.Require(slices.Equal(left, []string{"bad", "v12", "v13"}), "The revisionHistoryLimit is 2, and the rollout to v13 is complete. The current ReplicaSet and the two old ones of the highest revisions, v12 and bad, should be left, and there are: %s.", conform.Listed(left))
	w.roll("v12")
	w.settle()
	w.roll("v14")
	w.settle()
	left = slices.Sorted(slices.Values(w.images()))
	own, carried := w.of("v14").Annotations[kit.RevisionAnnotation], w.web().Annotations[kit.RevisionAnnotation]
	t.Require(own == "16" && carried == own, "There were fifteen rollouts, each to another template than the one before, and the new ReplicaSet has revision 16. It has revision %q, and its deployment carries %q.", own, carried)
	t.Require(slices.Equal(left, []string{"v12", "v13", "v14"}), "The template of v12 came back, which gave its ReplicaSet a new revision, and then the rollout to v14 is complete. The revisionHistoryLimit is 2. The ReplicaSet of bad has the lowest revision and should be deleted, that of v12 has the highest of the old ones, although it was created first. There are: %s.", conform.Listed(left))
	keepsUntilAvailable(t, w)
	keepsWithPods(t, w)
}

// keepsWithPods has an old ReplicaSet that asks for no pod any longer, and whose last pod is still there. It goes
// while the deployment is paused.
func keepsWithPods(t *conform.T, w *rollout) {
	w.sets.Change(kit.Key(w.of("v12")), func(rs *kit.ReplicaSet) { rs.Status.Replicas = 1 })
	w.keepsAll(t, "An old ReplicaSet, that of v12, asks for no pod and has one by its status, so that none is deleted yet: that pod would be an orphan.")
	w.edit(func(d *kit.Deployment) { d.Spec.Paused = true })
	w.settle()
	left := w.images()
	t.Require(slices.Equal(left, []string{"v14"}), "The deployment is paused, its revisionHistoryLimit is 0, and the last pod of an old ReplicaSet is gone. Old ones beyond the limit are deleted, in a paused deployment, too. Only the current one, of v14, should be left, and there are: %s.", conform.Listed(left))
}

// keepsAll asks for no history, and requires that all three ReplicaSets are left all the same.
func (w *rollout) keepsAll(t *conform.T, why string) {
	none := 0
	w.edit(func(d *kit.Deployment) { d.Spec.RevisionHistoryLimit = &none })
	w.looks(3)
	left := slices.Sorted(slices.Values(w.images()))
	t.Require(slices.Equal(left, []string{"v12", "v13", "v14"}), "The revisionHistoryLimit is 0 now. %s The ReplicaSets of v12, v13 and v14 should be left, and there are: %s.", why, conform.Listed(left))
}

// images are those of all ReplicaSets, the oldest first.
func (w *rollout) images() []string {
	var images []string
	for _, rs := range w.ordered() {
		images = append(images, rs.Spec.Template.Spec.Image)
	}
	return images
}

func checkAtRest(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.roll("b")
	w.settle()
	w.server.Forget()
	for range 5 {
		w.follow()
		w.reconcile()
		time.Sleep(time.Minute)
	}
	t.Require(w.written() == 0, "The rollout is complete and nothing has changed. Five calls of Reconcile wrote %d times, and should have written nothing.", w.written())
	observesAll(t, s, w)
	// Whatever is refused is made up for.
	weak := tired(1, errTired)
	w.sets.Intercept(weak, tired(2, errTired, fake.Delete))
	w.deployments.Intercept(weak)
	none := 0
	w.edit(func(d *kit.Deployment) { d.Spec.RevisionHistoryLimit = &none })
	w.roll("c")
	for range 100 {
		w.follow()
		w.honest()
		w.follow()
		w.obey()
		time.Sleep(time.Second)
	}
	w.sets.Intercept()
	w.deployments.Intercept()
	w.settle()
	w.wants("c", 4, "The API server has refused some requests, and refuses none any more. The rollout has come to rest.")
	for _, paused := range []bool{false, true} {
		w.edit(func(d *kit.Deployment) { d.Spec.MaxSurge, d.Spec.Paused = "many", paused })
		w.follow()
		_, err := w.try()
		t.Require(kit.IsTerminal(err), "The deployment has maxSurge \"many\", which makes no sense, paused: %t. Reconcile should have returned a kit.TerminalError, and returned %s.", paused, conform.Said(err))
	}
	ghost := kit.Request{Namespace: "ns", Name: "ghost"}
	_, err := conform.Do2(t.Actor, func() (kit.Result, error) { return w.r.Reconcile(t.Context(), ghost) }, "Reconcile(%v)", ghost)
	t.Require(err == nil, "There is no deployment ghost, which is no error. Reconcile returned %s.", conform.Said(err))
	returnsConflicts(t, s)
	sums(t, s)
}

func checkDeleted(t *conform.T, open func() Subject) {
	s := open()
	w := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.roll("b")
	w.settle()
	w.sets.OnChange(func(e kit.Event[*kit.ReplicaSet], _ []*kit.ReplicaSet) {
		if rs := e.Object; e.Type == kit.Deleted && (rs.Status.Replicas > 0 || rs.Spec.Replicas > 0) {
			w.actor.Breaks("ReplicaSet %s is deleted, and has pods", showSet(rs))
			t.Errorf("The ReplicaSet %s was deleted while it had pods or was to have some: they are orphans now.", showSet(rs))
		}
	})
	leavesTheDeletedAlone(t, s)
	waitsForOrphans(t, s)
	goesOnWithOrphans(t, s)
	saysThatTheNameIsTaken(t, s)
	sparesSuccessor(t, w)
	sparesUnheard(t, s)
	sparesNamesake(t, s)
	leavesNoOrphans(t, w)
}

// sparesSuccessor deletes the deployment, and creates another of its name before anybody looks.
func sparesSuccessor(t *conform.T, w *rollout) {
	w.deployments.Remove(web.String())
	second := w.deployments.Put(newDeployment(4, "1", "1", "c"))
	w.sSeen.CatchUp()
	_, err := w.try() // the cache still has the first
	t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
	for range 40 {
		w.follow()
		_, err := w.try()
		t.Require(err == nil, "The API server refused nothing, and Reconcile returned %s.", conform.Said(err))
		w.follow()
		w.obey()
		time.Sleep(time.Second)
	}
	sets := w.sets.All()
	t.Require(len(sets) == 1, "A deployment with images a and b was deleted, and another of its name created, with image c. 40 calls of Reconcile later only the ReplicaSet of c should be left, and there are: %s.", w.describe())
	owner := sets[0].ControllerOf()
	t.Require(owner != nil && owner.UID == second.UID, "A deployment was deleted and another of its name created. The only ReplicaSet that is left is %s, which is not controlled by the second deployment (%s).", showSet(sets[0]), second.UID)
	w.wants("c", 4, "A deployment was deleted and another of its name created, which asks for 4 replicas.")
}

// sparesUnheard has a cache that has never heard of the deployment, which is no proof that it
// does not exist.
func sparesUnheard(t *conform.T, s Subject) {
	lagging := newRollout(t, s, newDeployment(4, "1", "1", "a"))
	lagging.settle()
	blind := fake.NewCache(kit.Deployments)
	r := s.NewDeploymentReconciler(DeploymentParts{lagging.deployments, lagging.sets, blind, lagging.sSeen.Cache})
	lagging.follow()
	reconcile := func() error {
		call := t.Call("Reconcile(%v), with a cache that does not have it yet", web)
		_, err := r.Reconcile(t.Context(), web)
		call.Returned("%v", err)
		return err
	}
	const unheard = "The cache of deployments has not heard of ns/web yet, which exists at the API server. Its ReplicaSet is no orphan."
	_ = reconcile()
	lagging.wants("a", 4, unheard)
	lagging.deployments.Intercept(fake.Refuse(errTired))
	lagging.server.Forget()
	err := reconcile()
	t.Require(!lagging.refused() || errors.Is(err, errTired), "Reconcile asked the API server whether ns/web exists, and was refused, with the error %q. It should have returned that error, wrapped or not, and returned %s.", errTired, conform.Said(err))
	lagging.wants("a", 4, unheard+" The API server refused to say whether it exists.")
	lagging.deployments.Intercept()
	lagging.edit(goes)
	_ = reconcile()
	lagging.wants("a", 4, unheard+" By now the deployment is being deleted, and kept by a finalizer: it is not gone, and left alone.")
}

// leavesNoOrphans deletes the deployment for good, and expects its pods and ReplicaSets to go.
func leavesNoOrphans(t *conform.T, w *rollout) {
	w.deployments.Remove(web.String())
	w.sets.Intercept(tired(2, errTired, fake.Update), tired(2, errTired, fake.Delete))
	for range 40 {
		w.follow()
		w.honest()
		w.follow()
		w.obey()
		time.Sleep(time.Second)
	}
	w.sets.Intercept()
	t.Require(podsOf(w.sets.All()) == 0, "The deployment was deleted, and 40 calls of Reconcile later %d of its pods are left: %s.", podsOf(w.sets.All()), w.describe())
	t.Require(len(w.sets.All()) == 0, "The deployment was deleted, and 40 calls of Reconcile later its ReplicaSets are left, without pods: %s.", w.describe())
}

// podsOf is how many pods the ReplicaSets report.
func podsOf(sets []*kit.ReplicaSet) (n int) {
	for _, rs := range sets {
		n += rs.Status.Replicas
	}
	return n
}

// sparesNamesake has a cache with an empty ReplicaSet of a deployment that is gone; at the
// API server that name is the ReplicaSet of its successor.
func sparesNamesake(t *conform.T, s Subject) {
	w := newRollout(t, s, newDeployment(0, "1", "1", "a"))
	w.settle()
	old := w.of("a")
	w.deployments.Remove(web.String())
	w.sets.Remove(kit.Key(old))
	second := w.deployments.Put(newDeployment(4, "1", "1", "a"))
	rs := kit.ReplicaSets.DeepCopy(old)
	rs.UID, rs.Spec.Replicas = "", 4
	rs.OwnerReferences[0].UID = second.UID
	rs = w.sets.Put(rs)
	w.dSeen.CatchUp()
	_, _ = w.try() // it may find a conflict, or that there is such a ReplicaSet already
	now := w.sets.Now(kit.Key(old))
	const namesake = "A deployment and its ReplicaSet were deleted, and others of the same names created, of which the cache of ReplicaSets has not heard."
	t.Require(now != nil, "%s Reconcile deleted the new ReplicaSet in the place of the old one.", namesake)
	t.Require(now.UID == rs.UID && now.Spec.Replicas == 4, "%s Reconcile changed the new ReplicaSet in the place of the old one: it was %s, with replicas 4, and is %s, with replicas %d.", namesake, rs.UID, now.UID, now.Spec.Replicas)
}

// waitsToSettle asks twice for another number of replicas of a paused deployment, the second
// time before its ReplicaSet has settled.
func waitsToSettle(t *conform.T, w *rollout) {
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 7 })
	w.follow()
	w.reconcile()
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ObservedGeneration = rs.Generation })
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 9 })
	w.follow()
	w.reconcile()
	w.wants("a", 7, "The deployment is paused, and was scaled to 7 and then to 9. The status.replicas of its ReplicaSet are not its spec.replicas yet: it has not settled, and is not scaled.")
	w.edit(func(d *kit.Deployment) { d.Spec.Replicas = 6 })
	w.settle()
}

// observesAll changes what moves no pod, and then lets a cache lag behind a change of the template.
func observesAll(t *conform.T, s Subject, w *rollout) {
	keep := 20
	w.edit(func(d *kit.Deployment) { d.Spec.RevisionHistoryLimit = &keep })
	w.looks(3)
	d := w.web()
	t.Require(d.Status.ObservedGeneration == d.Generation, "The revisionHistoryLimit was changed, which moves no pod. Three calls of Reconcile later the deployment is at generation %d, and its observedGeneration is %d.", d.Generation, d.Status.ObservedGeneration)
	w = newRollout(t, s, newDeployment(4, "1", "1", "a"))
	w.settle()
	w.sets.Change(kit.Key(w.of("a")), func(rs *kit.ReplicaSet) { rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = 3, 3 })
	w.sSeen.CatchUp()
	w.roll("b")
	_, _ = w.try() // it may find a conflict
	d = w.web()
	t.Require(d.Status.ObservedGeneration < d.Generation || len(w.sets.All()) > 1, "The user has changed the template, which the cache of deployments does not show yet, and there is no ReplicaSet for it. The status of the deployment says that its generation %d is observed: that is the deployment as it is in the cache.", d.Generation)
}
