package realtest

import (
	"context"
	"fmt"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/real/writer"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var controllerCases = []Case{
	{Labs: controllerLabs, Case: conform.Case[Subject]{
		Name: "each-request-at-its-last-version", Points: 10, Func: "Controller.Start",
		Rule:   "After a storm of writes to a custom resource each object was reconciled at its last generation, through the conflicts that a second writer makes: its status says so.",
		Why:    "A status that stays behind is the only sign that a controller has lost a change.",
		Hint:   []string{"A conflict is an error of Reconcile: what does the controller do with the request then?", "An object that changes while it is reconciled is queued again when the worker is done with it."},
		Source: "controller-runtime pkg/internal/controller/controller.go: reconcileHandler; Kubernetes API conventions, spec and status",
		Check: begin(func(s *scene, open func() Subject) {
			subject := open()
			reconcilesAll(s, subject, subject.NewQueue())
		}),
	}},
	{Labs: controllerLabs, Case: conform.Case[Subject]{
		Name: "the-same-with-priorities", Points: 5, Func: "Controller.Start",
		Rule:   "The same holds with a priority queue.",
		Why:    "controller-runtime has used a priority queue by default since 0.23.",
		Hint:   []string{"If the case before passes, the difference is the queue: lab 13."},
		Source: "controller-runtime pkg/controller/priorityqueue/priorityqueue.go: New",
		Check: begin(func(s *scene, open func() Subject) {
			subject := open()
			reconcilesAll(s, subject, subject.NewPriorityQueue())
		}),
	}},
	{Labs: controllerLabs, Case: conform.Case[Subject]{
		Name: "what-kit-does-not-know-stays", Points: 5, Func: "Controller.Start", Look: conform.Anywhere,
		Rule:   "A status that a controller writes leaves alone what its types do not know: fields of the spec, annotations, other writers' fields of the status, managedFields.",
		Why:    "A controller that is a version behind the API would delete everybody's new fields each time it writes.",
		Hint:   []string{"Writes go through the package writer, which sends the difference: its documentation says how."},
		Source: "Kubernetes API conventions, unknown fields; RFC 7386",
		Check:  begin(whatKitDoesNotKnowStays),
	}},
}

// worker is a reconciler of widgets: it writes into the status what it has seen of the spec.
type worker struct {
	s       *scene
	a       *conform.Actor
	cache   kit.Indexer[*Widget]
	widgets kit.Client[*Widget]

	mu        sync.Mutex // guards what follows
	meddled   map[string]bool
	conflicts int
}

// Reconcile writes the status. The first time that it is about to write that of a widget, a
// second writer is faster.
func (r *worker) Reconcile(ctx context.Context, request kit.Request) (kit.Result, error) {
	w, there := r.cache.GetByKey(request.String())
	if !there || w.Status == (WidgetStatus{w.Generation, w.Spec.Size}) {
		return kit.Result{}, nil
	}
	r.meddle(w)
	next := *w
	next.Status = WidgetStatus{w.Generation, w.Spec.Size}
	call := r.a.Callback("Reconcile(%s), generation %d", request.Name, w.Generation)
	_, err := r.widgets.Update(ctx, &next)
	call.Returned("%v", conform.Said(err))
	if kit.IsConflict(err) {
		r.mu.Lock()
		r.conflicts++
		r.mu.Unlock()
	}
	if kit.IsNotFound(err) {
		return kit.Result{}, nil // deleted meanwhile
	}
	return kit.Result{}, err
}

// meddle writes an annotation of somebody else's, once for each of a few widgets.
func (r *worker) meddle(w *Widget) {
	r.mu.Lock()
	first := !r.meddled[w.Name] && len(r.meddled) < 5
	if first {
		r.meddled[w.Name] = true
	}
	r.mu.Unlock()
	if !first {
		return
	}
	// The widget may be gone: then there is no second writer either.
	_ = r.s.call("patch", resourceOf(widgets(r.s.Group)), w.Name, "", object{"metadata": map[string]any{"annotations": map[string]any{"second": "writer"}}}, nil)
}

// work runs a controller of widgets in the namespace of the case.
func work(s *scene, subject Subject, queue kit.RateLimitingQueue[kit.Request]) (r *worker, stop func()) {
	t, typ := s.t, widgets(s.Group)
	client := subject.Widgets.NewClient(typ, s.Server, s.link.client())
	informer := subject.Widgets.NewInformer(within[*Widget]{client, s.ns}, nil)
	r = &worker{s: s, a: t.Named("reconciler"), cache: informer.GetIndexer(), meddled: map[string]bool{}}
	r.widgets = &writer.Writer[*Widget]{Type: typ, Server: s.Server, HTTP: s.link.client(), Lister: client, Status: true}
	ctx, cancel := context.WithCancel(t.Context())
	t.Go("informer", func(a *conform.Actor) { a.Do(func() { informer.Run(ctx) }, "Run(ctx)") })
	t.Go("controller", func(a *conform.Actor) {
		err := conform.Do(a, func() error {
			return subject.RunController(ctx, r, queue, 3, nil, subject.Widgets.For(informer))
		}, "Start(ctx)")
		if err != nil && ctx.Err() == nil {
			t.Errorf("The controller's Start failed: %v.", conform.Said(err))
		}
	})
	return r, func() { cancel(); t.Join() }
}

// reconciled says which widget's status is not of its last generation.
func (s *scene) reconciled(kind resource) string {
	for name, o := range s.list(kind) {
		if o.at("status", "observedGeneration") != o.at("metadata", "generation") {
			return fmt.Sprintf("%s is at generation %v, and the last that was reconciled is %v: a request was lost.", name, o.at("metadata", "generation"), o.at("status", "observedGeneration"))
		}
		if o.at("status", "size") != o.at("spec", "size") {
			return fmt.Sprintf("%s has the size %v, and its status says %v.", name, o.at("spec", "size"), o.at("status", "size"))
		}
	}
	return ""
}

func reconcilesAll(s *scene, subject Subject, queue kit.RateLimitingQueue[kit.Request]) {
	kind := resourceOf(widgets(s.Group))
	for i := range 10 {
		s.create(kind, fmt.Sprintf("widget-%d", i), object{"spec": map[string]any{"size": 1}})
	}
	r, stop := work(s, subject, queue)
	defer stop()
	for n := range 60 {
		name := fmt.Sprintf("widget-%d", s.t.Rand().IntN(10))
		switch n % 20 {
		case 7:
			s.link.cut()
			s.merge(kind, name, "", object{"spec": map[string]any{"size": n + 2}})
		case 13:
			s.remove(kind, name)
			s.create(kind, name, object{"spec": map[string]any{"size": n + 2}})
		default:
			s.merge(kind, name, "", object{"spec": map[string]any{"size": n + 2}})
		}
	}
	eventually(s.t, func() string { return s.reconciled(kind) })
	stop()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.conflicts == 0 {
		s.t.Fatalf("No write of the controller met a conflict, though a second writer was faster %d times: an update of an old version was accepted, and somebody's change is lost.", len(r.meddled))
	}
}

func whatKitDoesNotKnowStays(s *scene, open func() Subject) {
	kind := resourceOf(widgets(s.Group))
	subject := open()
	s.create(kind, "rich", object{
		"metadata": map[string]any{"annotations": map[string]any{"owner": "somebody"}},
		"spec":     map[string]any{"size": 3, "colour": "blue", "parts": []any{map[string]any{"name": "lid"}}},
	})
	s.merge(kind, "rich", "status", object{"status": map[string]any{"seenBy": "another controller"}})
	before := s.get(kind, "rich").managers()
	_, stop := work(s, subject, subject.NewQueue())
	defer stop()
	eventually(s.t, func() string { return s.reconciled(kind) })
	stop()
	o := s.get(kind, "rich")
	for _, f := range []struct {
		what string
		got  any
		want any
	}{
		{"spec.colour", o.at("spec", "colour"), "blue"},
		{"spec.parts", fmt.Sprint(o.at("spec", "parts")), "[map[name:lid]]"},
		{"metadata.annotations.owner", o.at("metadata", "annotations", "owner"), "somebody"},
		{"status.seenBy", o.at("status", "seenBy"), "another controller"},
	} {
		if f.got != f.want {
			s.t.Fatalf("After the controller's write %s is %v, and was %v: a field that kit does not know was dropped.", f.what, f.got, f.want)
		}
	}
	if lost := conform.Without(before, o.managers()); len(lost) > 0 {
		s.t.Fatalf("After the controller's write managedFields lack the entry of %s: the one who applies next takes its fields without a conflict.", conform.Listed(lost))
	}
}

// managers are those who have written fields of an object, as its managedFields name them.
func (o object) managers() []string {
	var all []string
	entries, _ := o.at("metadata", "managedFields").([]any)
	for _, e := range entries {
		if e, ok := e.(map[string]any); ok {
			name := fmt.Sprint(e["manager"])
			if sub, ok := e["subresource"].(string); ok {
				name += " for the " + sub
			}
			all = append(all, name)
		}
	}
	return all
}
