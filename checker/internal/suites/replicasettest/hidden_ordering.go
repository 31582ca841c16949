package replicasettest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// ordering is about which pods to delete.
var ordering = []conform.Case[Subject]{
	{
		Name:   "deletion-order",
		Points: 4,
		Func:   "PodsToDelete",
		Rule:   "Of two pods, the one that comes first by the eight rules goes, and the first rule in which they differ decides.",
		Why:    "Scaling down should cost as little as possible: first go pods that do not serve anyway, then those that share a node, last those that have run well for long.",
		Hint: []string{
			"In each comparison of this case one rule decides for one pod, and all later rules for the other.",
			"cmp.Or returns the first of its arguments that is not zero.",
			"Where two times have the same magnitude and are not equal, the pod with the smaller UID goes, and no further rule applies.",
		},
		Source: "kubernetes pkg/controller/controller_utils.go: ActivePodsWithRanks; KEP-2185 (random pod selection on scale-down), KEP-2255 (pod deletion cost)",
		Contract: []string{
			"With a count of zero or less it chooses none, with len(pods) or more all of them. It does not modify the slices, nor the pods.",
			"Of two pods, the one goes first that, by the first rule in which they differ",
			"Rules 6 and 8 compare how long ago a time was, by magnitude: the number of nanoseconds since then, rounded down to a power of two. Where two times are different moments (time.Time.Equal) of one magnitude, the pod with the smaller UID goes first and no later rule is asked",
			"An unknown (zero) time goes before every other.",
			"an int32 in decimal; 0 where there is none, or no such number",
			"shares its node with more active pods (Pod.Active) of related;",
		},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkOrder(t, open()) },
	},
	{
		Name:   "siblings-share-nodes",
		Points: 1,
		Func:   "ReplicaSetReconciler.Reconcile",
		Rule:   "When nodes are compared, the pods of all ReplicaSets with the same controller count as related.",
		Why:    "During a rollout half of the pods belong to the old ReplicaSet and half to the new one. Together they should stay spread over the nodes.",
		Hint: []string{
			"What controls the ReplicaSet? Which other ReplicaSets does it control?",
		},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: getIndirectlyRelatedPods",
		Contract: []string{"The related pods are those in the cache that this ReplicaSet controls, and those that the ReplicaSets of its namespace with the same controller (the same UID) control.",
			"Where it has no controller, its own pods may be counted as related, or none."},
		Mode:  conform.Virtual,
		Check: func(t *conform.T, open func() Subject) { checkSiblings(t, open()) },
	},
}

// good is a pod that every rule would keep.
func good(uid string, edits ...func(p *kit.Pod)) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name, p.UID = namespace, "pod-"+uid, uid
	p.Annotations = map[string]string{kit.PodDeletionCost: "100"}
	p.Spec.NodeName = "lonely"
	p.CreationTimestamp = ago(1000 * time.Hour)
	p.Status = kit.PodStatus{Phase: kit.PodRunning, Ready: true, ReadySince: ago(900 * time.Hour)}
	for _, edit := range edits {
		edit(p)
	}
	return p
}

func ago(d time.Duration) time.Time { return time.Now().Add(-d) }

// The ways in which a pod can be worse than a good one, by rule. On the node "full" there
// are three related pods, on "half-full" two, on "lonely" one.
var (
	unassigned = func(p *kit.Pod) { p.Spec.NodeName = "" }
	pending    = func(p *kit.Pod) { p.Status.Phase = kit.PodPending }
	unknown    = func(p *kit.Pod) { p.Status.Phase = kit.PodUnknown }
	unready    = func(p *kit.Pod) { p.Status.Ready = false }
	crowded    = func(p *kit.Pod) { p.Spec.NodeName = "full" }
	paired     = func(p *kit.Pod) { p.Spec.NodeName = "half-full" }
	fresh      = func(p *kit.Pod) { p.Status.ReadySince = ago(time.Hour) }
	restarted  = func(p *kit.Pod) { p.Status.Restart = 5 }
	young      = func(p *kit.Pod) { p.CreationTimestamp = ago(2 * time.Hour) }
)

func cost(s string) func(p *kit.Pod) {
	return func(p *kit.Pod) { p.Annotations = map[string]string{kit.PodDeletionCost: s} }
}

func readyFor(d time.Duration) func(p *kit.Pod) {
	return func(p *kit.Pod) { p.Status.ReadySince = ago(d) }
}

func restarts(n int) func(p *kit.Pod) {
	return func(p *kit.Pod) { p.Status.Restart = n }
}

func createdFor(d time.Duration) func(p *kit.Pod) {
	return func(p *kit.Pod) { p.CreationTimestamp = ago(d) }
}

// abroad says the time since when a pod is ready in another time zone.
func abroad(p *kit.Pod) {
	p.Status.ReadySince = p.Status.ReadySince.Round(0).In(time.FixedZone("abroad", 3600))
}

// preference is one comparison: the first pod should go, and why.
type preference struct {
	why        string
	goes, stay *kit.Pod
}

func preferences() []preference {
	never := func(p *kit.Pod) { p.Status.ReadySince = time.Time{} }
	unborn := func(p *kit.Pod) { p.CreationTimestamp = time.Time{} }
	return []preference{
		{"1: it has no node", good("z", unassigned), good("a", pending, unready, cost("-1"), crowded, restarted, young)},
		{"2: it is Pending, the other Unknown", good("z", pending), good("a", unknown, unready, cost("-1"), crowded, restarted, young)},
		{"2: it is Unknown, the other Running", good("z", unknown), good("a", unready, cost("-1"), crowded, restarted, young)},
		{"3: it is not ready", good("z", unready), good("a", cost("-1"), crowded, fresh, restarted, young)},
		{"4: its deletion cost is lower", good("z", cost("-1")), good("a", cost("1"), crowded, fresh, restarted, young)},
		moreCrowded("on its node are 3 active related pods, and on the other's 1"),
		{"5: on its node are 3 active related pods, and on the other's 2", good("z", crowded), good("a", paired, fresh, restarted, young)},
		{"6: it is ready for a shorter time", good("z", fresh), good("a", restarted, young)},
		{"6: nobody knows since when it is ready", good("z", never), good("a", fresh, restarted, young)},
		{"6: both are ready for times of one magnitude, and its UID is smaller", good("a", readyFor(6*time.Hour)), good("z", readyFor(5*time.Hour), restarted, young)},
		{"6: both are ready for 2^32ns or more and less than 2^33ns, which is 8.59s, and its UID is smaller", good("a", readyFor(8400*time.Millisecond)), good("z", readyFor(4400*time.Millisecond), restarted, young)},
		{"6: it is ready for less than 2^33ns, which is 8.59s, and the other for more", good("z", readyFor(8400*time.Millisecond)), good("a", readyFor(8800*time.Millisecond), restarted, young)},
		{"6: it is ready for less than 2^34ns, which is 17.2s, and the other for more", good("z", readyFor(17*time.Second)), good("a", readyFor(17500*time.Millisecond), restarted, young)},
		{"6: both are ready for 2^33ns or more and less than 2^34ns, one of them for exactly 2^33ns, and its UID is smaller", good("a", readyFor(3<<32)), good("z", readyFor(1<<33), restarted, young)},
		{"7: it has restarted more often", good("z", restarted), good("a", young)},
		{"7: it has restarted 70000 times, and the other 30000 times", good("z", restarts(70000)), good("a", restarts(30000), young)},
		{"7: both are ready since the same moment, told in two time zones, and it has restarted more often", good("z", abroad, restarted), good("a", young)},
		{"7: nobody knows since when either is ready, and it has restarted more often", good("z", never, restarted), good("a", never, young)},
		{"7: it is not ready, so the time since when it was does not count", good("z", unready, restarted), good("a", unready, fresh, young)},
		{"8: it was created later", good("z", young), good("a")},
		{"8: both were created at times of one magnitude, and its UID is smaller", good("a", createdFor(6*time.Hour)), good("z", createdFor(5*time.Hour))},
		{"8: 8s and 7s are of one magnitude in nanoseconds, and its UID is smaller", good("a", createdFor(8*time.Second)), good("z", createdFor(7*time.Second))},
		{"8: both were created 2^32ns ago or more and less than 2^33ns, which is 8.59s, and its UID is smaller", good("a", createdFor(8400*time.Millisecond)), good("z", createdFor(4400*time.Millisecond))},
		{"8: it was created less than 2^33ns ago, which is 8.59s, and the other longer ago", good("z", createdFor(8400*time.Millisecond)), good("a", createdFor(8800*time.Millisecond))},
		{"8: it was created less than 2^34ns ago, which is 17.2s, and the other longer ago", good("z", createdFor(17*time.Second)), good("a", createdFor(17500*time.Millisecond))},
		{"8: nobody knows when it was created", good("z", unborn), good("a", young)},
	}
}

// costing are comparisons by rule 4.
func costing() []preference {
	uncosted := func(p *kit.Pod) { p.Annotations = nil }
	dearer := good("a", cost("1"), crowded, fresh, restarted, young)
	all := []preference{
		{"4: 9 is less than 10", good("z", cost("9")), good("a", cost("10"), crowded, fresh, restarted, young)},
		{"4: no cost is a cost of 0", good("z", uncosted), dearer},
		{"4: a cost of -1 is below no cost", good("z", cost("-1")), good("a", uncosted, crowded, fresh, restarted, young)},
		{"4: a cost beyond 32 bits is 0, not itself and not the largest of 32 bits", good("z", cost("3000000000")), dearer},
		{"4: a cost beyond 32 bits is 0, and not what its lower 32 bits are", good("z", cost("4294967301")), dearer},
		{"4: a cost of -1 is below one that is no number, which is 0", good("z", cost("-1")), good("a", cost("cheap"), crowded, fresh, restarted, young)},
		{"4: its deletion cost is lower, however far apart the two are", good("z", cost("-2147483648")), dearer},
		{"4: 2147483647, the largest int32, is more than 1", good("z", cost("1")), good("a", cost("2147483647"), crowded, fresh, restarted, young)},
		{"4: a cost of 2147483648 is beyond 32 bits, which is 0", good("z", cost("2147483648")), dearer},
		{"4: a cost of -2147483649 is beyond 32 bits, which is 0", good("z", cost("-1")), good("a", cost("-2147483649"), crowded, fresh, restarted, young)},
		{"4: a cost of -2147483649 is beyond 32 bits, which is 0, and not what its lower 32 bits are", good("z", cost("-2147483649")), dearer},
		{"4: -2147483648, the smallest int32, is less than -1", good("z", cost("-2147483648")), good("a", cost("-1"), crowded, fresh, restarted, young)},
	}
	for _, none := range []string{"1a", "cheap", "0x10", "1_000", " 5", "5 ", "5.0"} {
		all = append(all, preference{fmt.Sprintf("4: %q is no number in decimal, which is a cost of 0", none), good("z", cost(none)), dearer})
	}
	return all
}

// moreCrowded is the comparison of rule 5.
func moreCrowded(why string) preference {
	return preference{"5: " + why, good("z", crowded), good("a", fresh, restarted, young)}
}

// prefers requires that of two pods, in either order, PodsToDelete chooses the right one.
func (c preference) prefers(t *conform.T, s Subject, related []*kit.Pod) {
	for _, pods := range [][]*kit.Pod{{c.goes, c.stay}, {c.stay, c.goes}} {
		got := chosen(t, s, pods, related, 1)
		t.Require(slices.Equal(got, []string{c.goes.Name}), "Of the pods %s and %s PodsToDelete chose %s, and should have chosen %s. By rule %s.",
			flaws(pods[0]), flaws(pods[1]), conform.Listed(got), c.goes.Name, c.why)
	}
}

func checkOrder(t *conform.T, s Subject) {
	related := []*kit.Pod{good("r1", crowded, unready, pending), good("r2", crowded, unready, unknown), good("r3", crowded), good("r4"), good("r5", paired, pending), good("r6", paired)}
	for _, c := range slices.Concat(preferences(), costing()) {
		c.prefers(t, s, related)
	}
	checkUnusual(t, s)
	got := chosen(t, s, []*kit.Pod{good("a", crowded), good("b", crowded), good("c", restarted)}, nil, 1)
	t.Require(slices.Equal(got, []string{"pod-c"}), "Nothing is related, so no pod shares its node with active pods of related. The pods differ in that two of them share their node and the third, pod-c, has restarted. "+
		"PodsToDelete chose %s, and should have chosen pod-c. By rule 7.", conform.Listed(got))
	related = withInactive(t, s, related)
	worst := []*kit.Pod{
		good("h", unassigned), good("g", pending), good("f", unknown), good("e", unready),
		good("d", cost("1")), good("c", crowded), good("b", fresh), good("a1", restarted), good("a0", young), good("a"),
	}
	for n := -1; n <= len(worst)+1; n++ {
		pods := slices.Clone(worst)
		t.Rand().Shuffle(len(pods), func(i, j int) { pods[i], pods[j] = pods[j], pods[i] })
		was := slices.Clone(pods)
		want := names(worst[:min(max(n, 0), len(worst))])
		slices.Sort(want)
		got := chosen(t, s, pods, related, n)
		slices.Sort(got)
		t.Require(slices.Equal(got, want), "There are ten pods, of which each is worse than the next by one rule. PodsToDelete(pods, related, %d) chose %s, and should have chosen %s.", n, conform.Listed(got), conform.Listed(want))
		t.Require(slices.Equal(was, pods), "PodsToDelete has changed the slice that it was given: it was in the order %s, and is now in the order %s.", conform.Listed(names(was)), conform.Listed(names(pods)))
	}
}

// withInactive adds related pods that are not active, which changes nothing.
func withInactive(t *conform.T, s Subject, related []*kit.Pod) []*kit.Pod {
	for what, edits := range map[string][]func(p *kit.Pod){
		"have ended":        {failed, func(p *kit.Pod) { p.Status.Phase = kit.PodSucceeded }},
		"are being deleted": {leaving},
	} {
		all := slices.Clone(related)
		for i := range 4 {
			all = append(all, good(fmt.Sprintf("r%d", 1+len(all)), edits[i%len(edits)]))
		}
		t.Note("now 4 related pods %s, on the node of those that share theirs with nobody", what)
		moreCrowded(fmt.Sprintf("on its node are 3 active related pods, and on the other's 1, beside 4 that %s and do not count. Without these 4 it was right", what)).prefers(t, s, all)
		related = all
	}
	return related
}

// checkUnusual has pods of which nothing is related, a pod that has ended, and many related pods.
func checkUnusual(t *conform.T, s Subject) {
	preference{"6: it is ready for a shorter time, and nothing is related", good("z", fresh), good("a", restarted, young)}.prefers(t, s, nil)
	preference{"1: it has no node; it has failed, and PodsToDelete chooses among all pods that it is given", good("z", failed, unassigned), good("a", young)}.prefers(t, s, nil)
	related := []*kit.Pod{good("r")}
	for i := range 120 {
		related = append(related, good(fmt.Sprintf("r%d", i), paired))
	}
	related = append(related, good("y", crowded), good("x", crowded))
	preference{"5: on its node are 2 related pods, and on the other's 1, beside 120 elsewhere", good("z", crowded), good("a", restarted, young)}.prefers(t, s, related)
}

// chosen calls the subject and writes the call into the history: two pods with all that is
// wrong with them, more than two by their names.
func chosen(t *conform.T, s Subject, pods, related []*kit.Pod, n int) []string {
	shown := conform.Listed(names(pods))
	if len(pods) == 2 {
		shown = flaws(pods[0]) + ", " + flaws(pods[1])
	}
	return conform.Do(t.Actor, func() []string { return names(s.PodsToDelete(pods, related, n)) }, "PodsToDelete([%s], related, %d)", shown, n)
}

// flaws is a pod with all in which it differs from a good one.
func flaws(p *kit.Pod) string {
	var words []string
	differs := func(does bool, format string, args ...any) {
		if does {
			words = append(words, fmt.Sprintf(format, args...))
		}
	}
	since := func(at time.Time) string { return strings.TrimSuffix(time.Since(at).String(), "0m0s") }
	cost, costs := p.Annotations[kit.PodDeletionCost]
	differs(p.Spec.NodeName == "", "no node")
	differs(p.Status.Phase != kit.PodRunning, "%s", p.Status.Phase)
	differs(!p.Status.Ready, "not ready")
	differs(!costs, "no cost")
	differs(costs && cost != "100", "cost %s", cost)
	differs(p.Spec.NodeName == "full", "on a node with 3 related pods")
	differs(p.Spec.NodeName == "half-full", "on a node with 2 related pods")
	differs(p.Status.ReadySince.IsZero(), "ready since nobody knows")
	differs(!p.Status.ReadySince.IsZero() && time.Since(p.Status.ReadySince) < 900*time.Hour, "ready for %s", since(p.Status.ReadySince))
	differs(p.Status.ReadySince.Location().String() == "abroad", "ready since a time in another zone")
	differs(p.Status.Restart > 0, "%d restarts", p.Status.Restart)
	differs(p.CreationTimestamp.IsZero(), "created nobody knows when")
	differs(time.Since(p.CreationTimestamp) < 1000*time.Hour, "%s old", since(p.CreationTimestamp))
	return p.Name + "{" + strings.Join(words, ", ") + "}"
}

// on puts a pod on a node, where it has restarted that often.
func on(node string, restarts int) func(p *kit.Pod) {
	return func(p *kit.Pod) { p.Spec.NodeName, p.Status.Restart = node, restarts }
}

// controlledBy is a reference to what controls a ReplicaSet.
func controlledBy(version, kind, uid string) kit.OwnerReference {
	return kit.OwnerReference{APIVersion: version, Kind: kind, Name: "web", UID: uid, Controller: true}
}

// owned is a ReplicaSet that something controls: not its first owner.
func owned(name string, controller kit.OwnerReference) *kit.ReplicaSet {
	rs := set(name, 1)
	rs.OwnerReferences = []kit.OwnerReference{another, controller}
	return rs
}

// kin is another ReplicaSet than web-1, with a pod on the node of the pod doubled of web-1.
type kin struct {
	related      bool
	what         string // which ReplicaSet that is
	mine, theirs kit.OwnerReference
	edit         func(rs *kit.ReplicaSet)
}

func kinship() []kin {
	deployment, rollout := controlledBy("apps/v1", "Deployment", "uid-d"), controlledBy("argoproj.io/v1alpha1", "Rollout", "uid-r")
	beta, loose := controlledBy("apps/v1beta2", "Deployment", "uid-d"), deployment
	loose.Controller = false
	same := func(*kit.ReplicaSet) {}
	return []kin{
		{true, "has the same controller", deployment, deployment, same},
		{true, "has the same controller and is scaled to 0", deployment, deployment, func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 0 }},
		{true, "has the same controller and is being deleted", deployment, deployment, func(rs *kit.ReplicaSet) { now := time.Now(); rs.DeletionTimestamp = &now }},
		{true, "has the same controller, of the kind Rollout", rollout, rollout, same},
		{true, "has the same controller, by its UID, with an older APIVersion in the reference", deployment, beta, same},
		{false, "has another controller of that name, with another UID", deployment, controlledBy("apps/v1", "Deployment", "uid-e"), same},
		{false, "has the controller of shop/web-1 as an owner that does not control it", deployment, loose, same},
		{false, "is controlled by an owner of shop/web-1 that does not control shop/web-1", loose, deployment, same},
		{false, "has the same owner, which controls neither", loose, loose, same},
		{false, "has the same controller, and is in another namespace", deployment, deployment, func(rs *kit.ReplicaSet) { rs.Namespace, rs.Name = "elsewhere", "web-1" }},
	}
}

// checkKin has one ReplicaSet beside web-1.
func checkKin(t *conform.T, s Subject, c kin) {
	w := build(t, s)
	rs := w.stands(owned("web-1", c.mine))
	other := owned("web-2", c.theirs)
	c.edit(other)
	other = w.stands(other)
	w.runs(rs, "alone", on("n1", 9))
	w.runs(rs, "doubled", on("n2", 0))
	w.runs(other, "new", on("n2", 0), func(p *kit.Pod) { p.Namespace = other.Namespace })
	w.settled("web-1")
	where := fmt.Sprintf("of the two pods of shop/web-1, doubled is on a node with a pod of %s, which %s", kit.Key(other), c.what)
	if c.related {
		w.hasChosen("doubled", where+". So that pod is related, and doubled shares its node with more related pods than alone")
	} else {
		w.hasChosen("alone", where+". So that pod is not related, and alone has restarted more often")
	}
}

// hasChosen requires that Reconcile has deleted just this pod of web-1. Why is half a sentence.
func (w *world) hasChosen(want, why string) {
	got := w.deleted()
	w.t.Require(slices.Equal(got, []string{want}), "Reconcile(shop/web-1) deleted %s, and should have deleted %s: %s.", conform.Listed(got), want, why)
}

func checkSiblings(t *conform.T, s Subject) {
	for _, c := range kinship() {
		checkKin(t, s, c)
	}
	w := build(t, s)
	deployment := controlledBy("apps/v1", "Deployment", "uid-d")
	older, newer := w.stands(owned("web-1", deployment)), w.stands(owned("web-2", deployment))
	third, fourth := w.stands(owned("web-3", deployment)), w.stands(owned("web-4", deployment))
	stranger := w.stands(owned("db", controlledBy("apps/v1", "Deployment", "uid-e")))
	w.sets.Change(key("web-2"), func(rs *kit.ReplicaSet) { rs.Spec.Replicas = 0 })
	w.runs(older, "alone", on("n1", 9))
	w.runs(older, "doubled", on("n2", 0))
	w.runs(newer, "new", on("n2", 0))
	w.runs(third, "third", on("n2", 0))
	w.runs(fourth, "fourth", on("n1", 0))
	for i := range 4 {
		w.runs(stranger, fmt.Sprintf("db-%d", i), on("n1", 0), func(p *kit.Pod) { p.Labels = labels("web-1") })
	}
	for _, owner := range []*kit.ReplicaSet{older, newer} {
		loose := ref(owner)
		loose.Controller = false
		w.lone("nobody", "orphan-of-"+owner.Name, on("n1", 0), func(p *kit.Pod) { p.OwnerReferences = []kit.OwnerReference{loose} })
	}
	w.settled("web-1")
	w.hasChosen("doubled", "on its node are 3 related pods, with those of web-2 and web-3, and on that of alone 2, with one of web-4. "+
		"There are also four pods of db, which has another controller, and two that nothing controls, of which web-1 and web-2 are owners with Controller false: they are not related")

	free := w.stands(set("free", 1)) // nobody controls it
	w.settled("web-2")
	w.hasLive(newer, 0, "none is wanted. In its namespace is a ReplicaSet, shop/free, that nothing controls")
	w.runs(free, "free-0")
	w.runs(free, "free-1")
	w.settled("free")
	w.hasLive(free, 1, "1 is wanted. Nothing controls shop/free, and in its namespace are ReplicaSets that something controls")
	checkOwnPodsCount(t, s)
	checkUncontrolled(t, s)
}

// checkUncontrolled has two ReplicaSets that nothing controls.
func checkUncontrolled(t *conform.T, s Subject) {
	w := build(t, s)
	free := w.stands(set("free", 1))
	w.runs(free, "free-0", on("n1", 9))
	w.runs(free, "free-1", on("n2", 0))
	loose := w.stands(set("loose", 3))
	for i := range 3 {
		w.runs(loose, fmt.Sprintf("loose-%d", i), on("n2", 0))
	}
	w.settled("free")
	got := w.deleted()
	t.Require(slices.Equal(got, []string{"free-0"}), "Reconcile(shop/free) deleted %s, and should have deleted free-0, which has restarted more often. On the node of free-1 are the pods of shop/loose. "+
		"But nothing controls shop/free and shop/loose: their own pods may be related, and no others.", conform.Listed(got))
}

// checkOwnPodsCount has a node on which most related pods are those of the ReplicaSet itself.
func checkOwnPodsCount(t *conform.T, s Subject) {
	w := build(t, s)
	owned := func(name string, replicas int) *kit.ReplicaSet {
		rs := set(name, replicas)
		rs.OwnerReferences = []kit.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "web", UID: "uid-d", Controller: true}}
		return w.stands(rs)
	}
	older, newer := owned("web-1", 3), owned("web-2", 1)
	for _, name := range []string{"a", "b", "c"} {
		w.runs(older, name, on("n1", 0))
	}
	w.runs(older, "d", on("n2", 9))
	w.runs(newer, "new", on("n2", 0))
	w.settled("web-1")
	got := w.deleted()
	t.Require(len(got) == 1 && got[0] != "d", "Reconcile(shop/web-1) deleted %s, and should have deleted a, b or c: on their node are 3 related pods, these themselves, and on that of d 2, with the one of shop/web-2, "+
		"which has the same controller. The pods of shop/web-1 itself are related, too.", conform.Listed(got))
}
