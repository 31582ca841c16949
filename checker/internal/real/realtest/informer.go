package realtest

import (
	"context"
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

var informerCases = []Case{
	{Labs: informerLabs, Case: conform.Case[Subject]{
		Name: "a-storm-and-cuts", Points: 10, Func: "SharedInformer.Run", Look: []string{"Reflector.ListAndWatch", "Client.Watch"},
		Rule:   "After a storm of writes, with connections cut in mid-watch and in mid-event, the cache is what client-go lists, and the handler has heard of every change once.",
		Why:    "A connection to an API server breaks whenever the server is upgraded, a load balancer loses patience or a laptop sleeps.",
		Hint:   []string{"From which version did the watch after the cut begin? The history has each request.", "Half a line is no event, and a whole one before it is."},
		Source: "client-go tools/cache/reflector.go: ListAndWatchWithContext; " + concepts,
		Check:  begin(aStormAndCuts),
	}},
	{Labs: informerLabs, Own: true, Case: conform.Case[Subject]{
		Name: "compacted-while-away", Points: 10, Func: "Reflector.ListAndWatch",
		Rule:   "A reflector whose version etcd has forgotten meanwhile lists again: the cache is what client-go lists, and deletions that it missed are heard.",
		Why:    "A laptop that slept for an hour comes back to a server that knows nothing of that hour.",
		Hint:   []string{"What does ListAndWatch do with an Error whose reason is Expired?", "The list that follows has to take out of the cache what is not in it."},
		Source: "client-go tools/cache/reflector.go: isExpiredError; apiserver pkg/storage/etcd3/watcher.go: parseError",
		Check:  begin(compactedWhileAway),
	}},
	{Labs: informerLabs, Own: true, Case: conform.Case[Subject]{
		Name: "busy-is-not-listed", Points: 10, Func: "Reflector.ListAndWatch",
		Rule:   "While priority and fairness refuse its requests with 429, a reflector that has listed waits and watches again, and lists nothing.",
		Why:    "A list is the most expensive request there is: a server that sheds load would drown in what was meant to get over it.",
		Hint:   []string{"The history has each request with its answer: which came after the first 429?", "A watch that is refused with TooManyRequests says nothing about the version."},
		Source: "client-go tools/cache/reflector.go: watchWithResync; apiserver pkg/server/filters/priority-and-fairness.go: WithPriorityAndFairness",
		Check:  begin(busyIsNotListed),
	}},
	{Labs: informerLabs, Own: true, Case: conform.Case[Subject]{
		Name: "the-server-restarts", Points: 10, Func: "Reflector.Run",
		Rule:   "When the server is killed in mid-watch and started again, with writes before and after, the cache is what client-go lists in the end.",
		Why:    "Every upgrade of a control plane does this to every informer of the cluster.",
		Hint:   []string{"Connections are refused for some seconds: what does the reflector do meanwhile?", "The server that comes back has an empty watch cache: it may not know the version any longer."},
		Source: "client-go tools/cache/reflector.go: RunWithContext; apimachinery pkg/util/net/util.go: IsConnectionRefused",
		Check:  begin(theServerRestarts),
	}},
}

// following is an informer at work.
type following struct {
	Informer[*Entry]
	*heard
	stop func()
}

// follow runs an informer of one type in the namespace of the case, and waits until it has
// synced.
func follow(s *scene, open func() Subject, typ kit.Type[*Entry]) *following {
	t, kind := s.t, open().Entries
	client := kind.NewClient(typ, s.Server, s.link.client())
	f := &following{heard: newHeard(t)}
	errs := t.Named("reflector")
	f.Informer = kind.NewInformer(within[*Entry]{client, s.ns}, func(err error) { errs.Note("OnError(%v)", conform.Said(err)) })
	if _, err := f.AddEventHandler(f.handler()); err != nil {
		t.Fatalf("AddEventHandler failed: %v.", conform.Said(err))
	}
	ctx, cancel := context.WithCancel(t.Context())
	t.Go("informer", func(a *conform.Actor) { a.Do(func() { f.Run(ctx) }, "Run(ctx)") })
	f.stop = func() { cancel(); t.Join() }
	eventually(t, func() string {
		if f.HasSynced() {
			return ""
		}
		return "The informer has not synced with a real server."
	})
	return f
}

// within is a client that asks about one namespace.
type within[T kit.Object] struct {
	kit.ListerWatcher[T]
	namespace string
}

func (w within[T]) List(ctx context.Context, o kit.ListOptions) (kit.List[T], error) {
	o.Namespace = w.namespace
	return w.ListerWatcher.List(ctx, o)
}

func (w within[T]) Watch(ctx context.Context, o kit.ListOptions) (kit.Watch[T], error) {
	o.Namespace = w.namespace
	return w.ListerWatcher.Watch(ctx, o)
}

// cached is what the cache holds, by name.
func (f *following) cached() map[string]*Entry {
	all := map[string]*Entry{}
	for _, e := range f.GetIndexer().List() {
		all[e.Name] = e
	}
	return all
}

// agrees waits until cache and handler have what client-go lists.
func (f *following) agrees(s *scene, kind resource) {
	want := s.list(kind)
	eventually(s.t, func() string {
		objects, wrong := f.now()
		if wrong != "" {
			return wrong
		}
		if why := differs("The cache has", f.cached(), want); why != "" {
			return why
		}
		return differs("The handler has heard of", objects, want)
	})
	if _, wrong := f.now(); wrong != "" {
		s.t.Fatalf("%s", wrong)
	}
}

func aStormAndCuts(s *scene, open func() Subject) {
	maps := resourceOf(configMaps)
	s.link.shortWatches(4) // so that the server sends bookmarks while the case lasts
	s.create(maps, "before", entry("1"))
	f := follow(s, open, configMaps)
	defer f.stop()
	s.storm(maps, 120, 20, func(n int) {
		switch {
		case n%30 == 10:
			s.link.cutNext(700 + s.t.Rand().IntN(900)) // in the middle of the second event, or of the third
			s.link.cut()
		case n%30 == 25:
			s.link.cut()
		}
	})
	f.agrees(s, maps)
	s.bookmarked(f)
	f.agrees(s, maps)
}

// bookmarked waits until the reflector has had a bookmark: its version is newer than every object.
func (s *scene) bookmarked(f *following) {
	other := newWitness(s.t, s.Site)
	defer other.close()
	last := other.create(resourceOf(configMaps), "elsewhere", entry("1"))
	begun := f.Version()
	eventually(s.t, func() string {
		if v := f.Version(); v != begun {
			return ""
		}
		return fmt.Sprintf("The reflector stays at version %q. The server has sent a bookmark since client-go wrote version %s elsewhere.", begun, last.version())
	})
}

func compactedWhileAway(s *scene, open func() Subject) {
	kind := resourceOf(secrets)
	for _, name := range []string{"stays", "changes", "goes"} {
		s.create(kind, name, entry("b25l"))
	}
	f := follow(s, open, secrets)
	defer f.stop()
	s.create(kind, "during", entry("b25l")) // a watch without an event that ends at once has failed
	f.agrees(s, kind)
	s.link.setDown(true)
	s.merge(kind, "changes", "", entry("dHdv"))
	s.remove(kind, "goes")
	s.create(kind, "comes", entry("b25l"))
	s.compact()
	s.link.setDown(false)
	f.agrees(s, kind)
}

func busyIsNotListed(s *scene, open func() Subject) {
	t, maps := s.t, resourceOf(configMaps)
	s.link.token = s.Crowd
	s.refuse(false)
	s.create(maps, "before", entry("1"))
	f := follow(s, open, configMaps)
	defer f.stop()
	s.create(maps, "during", entry("1")) // a watch without an event that ends at once has failed
	f.agrees(s, maps)
	s.refuse(true)
	s.refused(open)
	from := len(s.link.requests())
	s.link.cut()
	s.create(maps, "meanwhile", entry("2"))
	eventually(t, func() string {
		if slices.ContainsFunc(s.link.requests()[from:], func(r request) bool { return r.Watch && r.Code == 429 }) {
			return ""
		}
		return "After the cut no watch was asked for that the server could refuse."
	})
	pause(t)
	s.refuse(false)
	f.agrees(s, maps)
	for _, r := range s.link.requests()[from:] {
		if !r.Watch && r.Method == "GET" {
			t.Fatalf("After a watch that was refused with 429 the reflector listed from version %q: the version was still good.", r.Version)
		}
	}
}

// refused waits until the server does refuse: priority and fairness hear of their own
// configuration by a watch, too.
func (s *scene) refused(open func() Subject) {
	probe := newLink(s.t, s.Crowd, s.CA)
	defer probe.close()
	client := open().Entries.NewClient(configMaps, s.Server, probe.client())
	eventually(s.t, func() string {
		_, err := client.List(s.t.Context(), kit.ListOptions{Namespace: s.ns})
		if kit.IsTooManyRequests(err) {
			return ""
		}
		return fmt.Sprintf("A request that the server refuses with 429 is %v, and not TooManyRequests.", conform.Said(err))
	})
}

func theServerRestarts(s *scene, open func() Subject) {
	maps := resourceOf(configMaps)
	s.create(maps, "before", entry("1"))
	f := follow(s, open, configMaps)
	defer f.stop()
	s.storm(maps, 25, 10, nil)
	s.restart()
	s.storm(maps, 25, 10, nil)
	f.agrees(s, maps)
}
