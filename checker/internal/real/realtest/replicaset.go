package realtest

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/real/writer"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var replicaSetCases = []Case{
	{Labs: replicaSetLabs, Own: true, Case: conform.Case[Subject]{
		Name: "keeps-real-pods", Points: 10, Func: "ReplicaSetReconciler.Reconcile",
		Rule:   "A real ReplicaSet has as many real pods as it asks for, no pod was made in vain, and its status counts those that are ready.",
		Why:    "It is what the ReplicaSet controller of every cluster does, and the server cannot tell yours from that one.",
		Hint:   []string{"The history has each pod that was made: when did the cache show it?", "Versions are numbers in decimal: after 999 comes 1000, which is smaller as a string."},
		Source: "kubernetes pkg/controller/replicaset/replica_set.go: syncReplicaSet",
		Check:  begin(keepsRealPods),
	}},
	{Labs: replicaSetLabs, Own: true, Case: conform.Case[Subject]{
		Name: "adopts-and-leaves-the-rest", Points: 10, Func: "ReplicaSetReconciler.Reconcile", Look: []string{"the adoption and the release of pods"},
		Rule:   "A pod that is adopted or released keeps everything but its owner reference: containers, tolerations, finalizers, other owners, managedFields.",
		Why:    "A pod has hundreds of fields, and a controller knows ten of them.",
		Hint:   []string{"Change the references of a copy and nothing else: what differs is what is written."},
		Source: "kubernetes pkg/controller/controller_ref_manager.go: PodControllerRefManager.AdoptPod",
		Check:  begin(adoptsAndLeavesTheRest),
	}},
}

var (
	podKind = resource{"v1", "Pod", "pods"}
	setKind = resource{"apps/v1", "ReplicaSet", "replicasets"}
)

// manage runs the learner's ReplicaSet controller in the namespace of the case.
func manage(s *scene, subject Subject) (stop func()) {
	t := s.t
	podClient := subject.NewPodClient(writer.Pods, s.Server, s.link.client())
	setClient := subject.NewReplicaSetClient(writer.ReplicaSets, s.Server, s.link.client())
	podSource := writer.Source[*writer.Pod, *kit.Pod]{From: podClient, As: func(p *writer.Pod) *kit.Pod { return &p.Pod }}
	setSource := writer.Source[*writer.ReplicaSet, *kit.ReplicaSet]{From: setClient, As: func(r *writer.ReplicaSet) *kit.ReplicaSet { return &r.ReplicaSet }}
	pods := subject.Pods.NewInformer(within[*kit.Pod]{podSource, s.ns}, nil)
	sets := subject.ReplicaSets.NewInformer(within[*kit.ReplicaSet]{setSource, s.ns}, nil)
	r := subject.NewReplicaSet(ReplicaSetParts{
		Pods:        &writer.Writer[*kit.Pod]{Type: kit.Pods, Server: s.Server, HTTP: s.link.client(), Lister: podSource, Status: true, Real: writer.RealPod, Kit: writer.KitPod},
		ReplicaSets: &writer.Writer[*kit.ReplicaSet]{Type: kit.ReplicaSets, Server: s.Server, HTTP: s.link.client(), Lister: setSource, Status: true, Kit: writer.KitReplicaSet},
		PodCache:    pods.GetIndexer(), ReplicaSetCache: sets.GetIndexer(),
		PodCacheVersion: pods.Version, ReplicaSetCacheVersion: sets.Version,
	})
	ctx, cancel := context.WithCancel(t.Context())
	t.Go("pod informer", func(a *conform.Actor) { a.Do(func() { pods.Run(ctx) }, "Run(ctx)") })
	t.Go("ReplicaSet informer", func(a *conform.Actor) { a.Do(func() { sets.Run(ctx) }, "Run(ctx)") })
	reconciler, errs := t.Named("reconciler"), t.Named("controller's OnError")
	noted := kit.ReconcilerFunc(func(ctx context.Context, request kit.Request) (kit.Result, error) {
		call := reconciler.Callback("Reconcile(%s)", request)
		result, err := r.Reconcile(ctx, request)
		call.Returned("%v", conform.Said(err))
		return result, err
	})
	t.Go("controller", func(a *conform.Actor) {
		err := conform.Do(a, func() error {
			return subject.RunController(ctx, noted, subject.NewQueue(), 2,
				func(request kit.Request, err error) { errs.Note("%s: %v", request, conform.Said(err)) },
				subject.ReplicaSets.NewSource(sets, func(q kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[*kit.ReplicaSet] {
					return r.ReplicaSetHandler(q.Add)
				}),
				subject.Pods.NewSource(pods, func(q kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[*kit.Pod] {
					return r.PodHandler(q.Add)
				}))
		}, "Start(ctx)")
		if err != nil && ctx.Err() == nil {
			t.Errorf("The controller's Start failed: %v.", conform.Said(err))
		}
	})
	return func() { cancel(); t.Join() }
}

// replicaSet is one of so many pods that are labelled app=web.
func replicaSet(replicas int) object {
	labels := map[string]any{"app": "web"}
	return object{"spec": map[string]any{
		"replicas": replicas, "selector": map[string]any{"matchLabels": labels},
		"template": map[string]any{"metadata": map[string]any{"labels": labels}, "spec": podSpec()},
	}}
}

func podSpec() map[string]any {
	return map[string]any{"containers": []any{map[string]any{"name": "main", "image": "nginx"}}}
}

// replicas are the active pods that the ReplicaSet controls, as client-go lists them.
func (s *scene) replicas(set object) []object {
	var all []object
	for _, pod := range s.list(podKind) {
		refs, _ := pod.at("metadata", "ownerReferences").([]any)
		for _, ref := range refs {
			if ref, ok := ref.(map[string]any); ok && ref["uid"] == set.meta("uid") && ref["controller"] == true {
				all = append(all, pod)
			}
		}
	}
	return all
}

// stands waits until the server has so many replicas, all marked ready by a kubelet of the
// case, and the status says so.
func (s *scene) stands(set object, want int) {
	eventually(s.t, func() string {
		pods := s.replicas(set)
		if len(pods) != want {
			return fmt.Sprintf("The ReplicaSet asks for %d pods, and the server has %d of it.", want, len(pods))
		}
		for _, pod := range pods {
			if pod.at("status", "phase") != "Running" {
				s.merge(podKind, pod.name(), "status", object{"status": map[string]any{"phase": "Running",
					"conditions": []any{map[string]any{"type": "Ready", "status": "True", "lastTransitionTime": "2026-01-02T03:04:05Z"}}}})
			}
		}
		now := s.get(setKind, set.name())
		for _, field := range []string{"replicas", "readyReplicas", "availableReplicas"} {
			if n, _ := now.at("status", field).(float64); int(n) != want {
				return fmt.Sprintf("status.%s is %v, and %d pods are ready.", field, n, want)
			}
		}
		if now.at("status", "observedGeneration") != now.at("metadata", "generation") {
			return fmt.Sprintf("status.observedGeneration is %v, and the ReplicaSet is at generation %v.", now.at("status", "observedGeneration"), now.at("metadata", "generation"))
		}
		return ""
	})
}

func keepsRealPods(s *scene, open func() Subject) {
	set := s.create(setKind, "web", replicaSet(3))
	s.nearPowerOfTen(set)
	stop := manage(s, open())
	defer stop()
	s.stands(set, 3)
	s.merge(setKind, "web", "", object{"spec": map[string]any{"replicas": 6}})
	s.stands(set, 6)
	s.link.cut() // while no request is under way whose pod might be made and whose answer might not come
	s.remove(podKind, s.replicas(set)[0].name())
	s.stands(set, 6)
	s.merge(setKind, "web", "", object{"spec": map[string]any{"replicas": 2}})
	s.stands(set, 2)
	stop()
	made := 0
	for _, r := range s.link.requests() {
		if r.Method == "POST" && strings.HasSuffix(r.Path, "/pods") && r.Code == 201 {
			made++
		}
	}
	if made != 7 {
		s.t.Fatalf("%d pods were made, and 7 were needed: 3, 3 more, and one for the one that was deleted.", made)
	}
}

// nearPowerOfTen has versions come close to the next power of ten, which pods of this case
// then cross: there a version has a digit more.
func (s *scene) nearPowerOfTen(set object) {
	version, err := strconv.Atoi(set.version())
	if err != nil {
		return // no number: there is nothing to cross
	}
	edge := 1000
	for edge < version {
		edge *= 10
	}
	if edge-version < 20000 {
		s.advance(edge - 8)
	}
}

func adoptsAndLeavesTheRest(s *scene, open func() Subject) {
	pod := s.create(podKind, "orphan", object{
		"metadata": map[string]any{
			"labels": map[string]any{"app": "web"}, "annotations": map[string]any{"by": "hand"}, "finalizers": []any{"controllerbook.dev/kept"},
			"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "other", "uid": "11111111-2222-3333-4444-555555555555", "blockOwnerDeletion": true}},
		},
		"spec": map[string]any{
			"containers":  []any{map[string]any{"name": "one", "image": "nginx", "ports": []any{map[string]any{"containerPort": 80}}}, map[string]any{"name": "two", "image": "redis"}},
			"tolerations": []any{map[string]any{"key": "gpu", "operator": "Exists", "effect": "NoSchedule"}},
		},
	})
	defer func() { // or its namespace would never go
		_ = s.call("patch", podKind, "orphan", "", object{"metadata": map[string]any{"finalizers": []any{}}}, nil)
	}()
	before := rest(pod)
	set := s.create(setKind, "web", replicaSet(1))
	stop := manage(s, open())
	defer stop()
	eventually(s.t, func() string {
		if pods := s.replicas(set); len(pods) != 1 || pods[0].name() != "orphan" {
			return fmt.Sprintf("The ReplicaSet controls %d pods, and should have adopted the orphan that its selector matches, and made none.", len(pods))
		}
		return ""
	})
	adopted := s.get(podKind, "orphan")
	if why := conform.Differ(before, rest(adopted)); why != "" {
		s.t.Fatalf("The adoption changed more than the owner references: %s.", why)
	}
	if lost := conform.Without(pod.managers(), adopted.managers()); len(lost) > 0 {
		s.t.Fatalf("After the adoption managedFields lack the entry of %s: the one who applies next takes its fields without a conflict.", conform.Listed(lost))
	}
	s.merge(podKind, "orphan", "", object{"metadata": map[string]any{"labels": map[string]any{"app": "free"}}})
	eventually(s.t, func() string {
		refs, _ := s.get(podKind, "orphan").at("metadata", "ownerReferences").([]any)
		for _, ref := range refs {
			if ref, ok := ref.(map[string]any); ok && ref["controller"] == true {
				return "The pod's labels do not match any longer, and it was not released."
			}
		}
		if len(refs) != 1 || fmt.Sprint(refs[0].(map[string]any)["blockOwnerDeletion"]) != "true" {
			return fmt.Sprintf("The release took away more than the controller's reference: what is left is %v.", refs)
		}
		return ""
	})
}

// rest is what an adoption must not change.
func rest(pod object) map[string]any {
	text, err := json.Marshal(map[string]any{
		"spec": pod["spec"], "annotations": pod.at("metadata", "annotations"), "labels": pod.at("metadata", "labels"),
		"finalizers": pod.at("metadata", "finalizers"),
	})
	var out map[string]any
	if err != nil || json.Unmarshal(text, &out) != nil {
		return nil // what came from JSON goes back to it
	}
	return out
}
