package realtest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

const concepts = "Kubernetes API concepts, efficient detection of changes"

var clientCases = []Case{
	{Labs: clientLabs, Case: conform.Case[Subject]{
		Name: "lists-real-objects", Points: 5, Func: "Client.List",
		Rule:   "List returns what a real server lists, with kind and apiVersion on each object, though the items of a real list have neither.",
		Why:    "A real server leaves both out of items: a client that looks at them in each item finds no object at all.",
		Hint:   []string{"Print the list that the server sends: curl it. What do the items lack?", "Fill each item into what Type.New gives, which has them."},
		Source: "apimachinery pkg/apis/meta/v1/types.go: TypeMeta; " + concepts,
		Check:  begin(listsRealObjects),
	}},
	{Labs: clientLabs, Case: conform.Case[Subject]{
		Name: "watches-real-events", Points: 5, Func: "Client.Watch",
		Rule:   "Watch delivers each change after the list, once, in order, with the versions that the server gave.",
		Why:    "Everything above the client is built on this.",
		Hint:   []string{"Compare what came with what client-go wrote: both stand in the history."},
		Source: concepts,
		Check:  begin(watchesRealEvents),
	}},
	{Labs: clientLabs, Case: conform.Case[Subject]{
		Name: "streams-the-list", Points: 5, Func: "Client.Watch",
		Rule:   "A watch list brings what there is as ADDED, then a bookmark that is marked as the end, then what happens.",
		Why:    "It is client-go's first choice since 1.35: the server streams a list that it would have to hold in memory otherwise.",
		Hint:   []string{"What did the server answer? It refuses sendInitialEvents without resourceVersionMatch.", "The mark is an annotation of the bookmark's object: decode it like any other.", "Versions are not there to be compared: initial events come by name, and not by age."},
		Source: "KEP-3157; " + concepts,
		Check:  begin(streamsTheList),
	}},
	{Labs: clientLabs, Case: conform.Case[Subject]{
		Name: "bookmarks-of-a-real-server", Points: 5, Func: "Client.ListAndWatch", Look: []string{"Client.ListAndWatch"},
		Rule:   "A bookmark moves the version from which the next watch begins, and is not applied.",
		Why:    "A bookmark's object has a version and nothing else: applied, it is an object without a name in every cache.",
		Hint:   []string{"Which events does ListAndWatch hand to apply?", "The next watch begins at the bookmark's version, however quiet it was before."},
		Source: "KEP-956; " + concepts,
		Check:  begin(bookmarksOfARealServer),
	}},
	{Labs: clientLabs, Own: true, Case: conform.Case[Subject]{
		Name: "compacted-is-expired", Points: 5, Func: "Client.Watch",
		Rule:   "A watch from a version that etcd has forgotten is refused as Expired, or brings an Error with that Status.",
		Why:    "Whoever watches on from there has missed what happened in between, and will never hear of it.",
		Hint:   []string{"The answer is a 200 with an ERROR event, or a 410: a client meets both.", "The object of an ERROR is a Status: what is its reason?"},
		Source: "apiserver pkg/storage/etcd3/watcher.go: parseError; " + concepts,
		Check:  begin(compactedIsExpired),
	}},
}

// entry is a create of a ConfigMap or a Secret with one value.
func entry(value string) object { return object{"data": map[string]any{"value": value}} }

func listsRealObjects(s *scene, open func() Subject) {
	t, maps := s.t, resourceOf(configMaps)
	for i := range 3 {
		s.create(maps, fmt.Sprintf("list-%d", i), entry(fmt.Sprint(i)))
	}
	client := open().Entries.NewClient(configMaps, s.Server, s.link.client())
	list, err := conform.Do2(t.Actor, func() (kit.List[*Entry], error) {
		return client.List(t.Context(), kit.ListOptions{Namespace: s.ns})
	}, "List(namespace of the case)")
	if err != nil {
		t.Fatalf("List failed at a real server: %v.", conform.Said(err))
	}
	if list.ResourceVersion == "" {
		t.Fatalf("The list has no resource version: metadata.resourceVersion of a real list has.")
	}
	got := map[string]*Entry{}
	for _, e := range list.Items {
		if e.Kind != "ConfigMap" || e.APIVersion != "v1" {
			t.Fatalf("List returned %s with kind %q and apiVersion %q. A real server leaves both out of items: those of Type.New stay.", e.Name, e.Kind, e.APIVersion)
		}
		got[e.Name] = e
	}
	same(s, "List returned", got, s.list(maps))
}

// others reports whether an object is one that a controller of the cluster puts into
// every namespace.
func others(name string) bool {
	return strings.HasSuffix(name, "-ca.crt") || strings.HasSuffix(name, "-ca-root-cert")
}

// same requires that what the learner has is what client-go lists.
func same(s *scene, who string, got map[string]*Entry, want map[string]object) {
	if why := differs(who, got, want); why != "" {
		s.t.Fatalf("%s", why)
	}
}

// differs says where entries are not what client-go lists, "" if they are.
func differs(who string, got map[string]*Entry, want map[string]object) string {
	for name, o := range want {
		e, there := got[name]
		switch {
		case !there:
			return fmt.Sprintf("%s no %q, which client-go lists at version %s.", who, name, o.version())
		case e.ResourceVersion != o.version():
			return fmt.Sprintf("%s %q at version %s, and client-go lists it at %s.", who, name, e.ResourceVersion, o.version())
		case e.UID != o.meta("uid"):
			return fmt.Sprintf("%s %q with the UID of another object of that name.", who, name)
		}
		data, _ := o.at("data").(map[string]any)
		for key, value := range data {
			if e.Data[key] != value {
				return fmt.Sprintf("%s %q with %s=%q, and client-go lists %q.", who, name, key, e.Data[key], value)
			}
		}
	}
	for name, e := range got {
		if _, there := want[name]; !there && !others(name) {
			return fmt.Sprintf("%s an object %q of version %q, and client-go lists none of that name.", who, name, e.ResourceVersion)
		}
	}
	return ""
}

// next is the next event of a watch.
func next[T kit.Object](s *scene, w kit.Watch[T], what string) kit.Event[T] {
	select {
	case event, more := <-w.ResultChan():
		if !more {
			s.t.Fatalf("The ResultChan was closed before %s came.", what)
		}
		if event.Type == kit.Error {
			s.t.Fatalf("The watch delivered an Error before %s came: %s.", what, event.Status.Message)
		}
		s.t.Note("%s %s", event.Type, conform.Show(event.Object))
		return event
	case <-time.After(long()):
		s.t.Fatalf("The watch has not delivered %s for %v.", what, long())
	}
	panic("not reached: Fatalf does not return")
}

// watch begins a watch that ends with the case.
func watch[T kit.Object](s *scene, client kit.ListerWatcher[T], options kit.ListOptions) kit.Watch[T] {
	options.Namespace = s.ns
	w, err := conform.Do2(s.t.Actor, func() (kit.Watch[T], error) { return client.Watch(s.t.Context(), options) }, "Watch(%v)", options)
	if err != nil {
		s.t.Fatalf("Watch failed at a real server: %v.", conform.Said(err))
	}
	return w
}

func watchesRealEvents(s *scene, open func() Subject) {
	t, maps := s.t, resourceOf(configMaps)
	client := open().Entries.NewClient(configMaps, s.Server, s.link.client())
	list, err := client.List(t.Context(), kit.ListOptions{Namespace: s.ns})
	if err != nil {
		t.Fatalf("List failed at a real server: %v.", conform.Said(err))
	}
	w := watch(s, client, kit.ListOptions{ResourceVersion: list.ResourceVersion})
	defer w.Stop()
	created := s.create(maps, "watched", entry("one"))
	changed := s.merge(maps, "watched", "", entry("two"))
	s.remove(maps, "watched")
	for i, want := range []struct {
		kind    kit.EventType
		version string
		value   string
	}{{kit.Added, created.version(), "one"}, {kit.Modified, changed.version(), "two"}, {kit.Deleted, "", "two"}} {
		event := next(s, w, fmt.Sprintf("event %d, %s of watched", i+1, want.kind))
		for others(event.Object.Name) {
			event = next(s, w, fmt.Sprintf("event %d, %s of watched", i+1, want.kind))
		}
		switch {
		case event.Type != want.kind || event.Object.Name != "watched":
			t.Fatalf("Event %d is %s of %q, and should be %s of %q.", i+1, event.Type, event.Object.Name, want.kind, "watched")
		case want.version != "" && event.Object.ResourceVersion != want.version:
			t.Fatalf("Event %d has version %q, and client-go's write made %q.", i+1, event.Object.ResourceVersion, want.version)
		case event.Object.Data["value"] != want.value:
			t.Fatalf("Event %d has the value %q, and should have %q.", i+1, event.Object.Data["value"], want.value)
		}
	}
}

func streamsTheList(s *scene, open func() Subject) {
	t, maps := s.t, resourceOf(configMaps)
	for _, name := range []string{"d", "c", "b", "a"} { // the server sends them by name, and so with falling versions
		s.create(maps, name, entry(name))
	}
	client := open().Entries.NewClient(configMaps, s.Server, s.link.client())
	w := watch(s, client, kit.ListOptions{SendInitialEvents: true, AllowWatchBookmarks: true})
	defer w.Stop()
	var initial []string
	for {
		event := next(s, w, "the bookmark that ends the initial events")
		if event.Type == kit.Bookmark {
			if event.Object.Annotations[kit.InitialEventsEnd] != "true" {
				t.Fatalf("The bookmark after the initial events has annotations %v: its %s=true is lost.", event.Object.Annotations, kit.InitialEventsEnd)
			}
			break
		}
		if event.Type != kit.Added {
			t.Fatalf("One of the initial events is %s, and should be ADDED.", event.Type)
		}
		if !others(event.Object.Name) {
			initial = append(initial, event.Object.Name)
		}
	}
	slices.Sort(initial)
	t.Same([]string{"a", "b", "c", "d"}, initial, "The initial events are of other objects than client-go made")
	s.create(maps, "e", entry("e"))
	event := next(s, w, "ADDED of e")
	for others(event.Object.Name) {
		event = next(s, w, "ADDED of e")
	}
	if event.Object.Name != "e" {
		t.Fatalf("The first event after the bookmark is of %q, and should be of e.", event.Object.Name)
	}
}

func bookmarksOfARealServer(s *scene, open func() Subject) {
	t, maps := s.t, resourceOf(configMaps)
	s.create(maps, "quiet", entry("1"))
	client := open().Entries.NewClient(configMaps, s.Server, s.link.client())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var listed string
	applied := make(chan kit.Event[*Entry], 100)
	t.Go("ListAndWatch", func(a *conform.Actor) {
		err := conform.Do(a, func() error {
			return client.ListAndWatch(ctx, kit.ListOptions{Namespace: s.ns, TimeoutSeconds: 3},
				func(list kit.List[*Entry]) { listed = list.ResourceVersion },
				func(event kit.Event[*Entry]) { applied <- event })
		}, "ListAndWatch(timeoutSeconds=3)")
		if ctx.Err() == nil {
			t.Errorf("ListAndWatch ended with %v, and nothing was wrong at the server.", conform.Said(err))
		}
	})
	// Elsewhere there is life: the version rises, and the bookmark says so.
	other := newWitness(t, s.Site)
	defer other.close()
	for i := range 5 {
		other.create(maps, fmt.Sprintf("elsewhere-%d", i), entry("x"))
	}
	eventually(t, func() string {
		if len(s.watches()) < 2 && !t.Failed() {
			return "ListAndWatch has not begun a second watch after the first was over."
		}
		return ""
	})
	cancel()
	t.Join()
	close(applied)
	for event := range applied {
		if event.Object.Name == "" || event.Type == kit.Bookmark {
			t.Fatalf("A bookmark was handed to apply, as %s of an object without a name.", event.Type)
		}
	}
	if watches := s.watches(); watches[1].Version == listed {
		t.Fatalf("The second watch began at %s, the version of the list: the bookmark of the first had a newer one.", listed)
	}
}

// watches are the watches that the learner's client has asked for.
func (s *scene) watches() []request {
	return slices.DeleteFunc(s.link.requests(), func(r request) bool { return !r.Watch })
}

func compactedIsExpired(s *scene, open func() Subject) {
	t, kind := s.t, resourceOf(secrets)
	s.create(kind, "old", entry("b25l"))
	client := open().Entries.NewClient(secrets, s.Server, s.link.client())
	list, err := client.List(t.Context(), kit.ListOptions{Namespace: s.ns})
	if err != nil {
		t.Fatalf("List failed at a real server: %v.", conform.Said(err))
	}
	s.merge(kind, "old", "", entry("dHdv"))
	s.merge(kind, "old", "", entry("dGhyZWU="))
	s.compact()
	w, err := conform.Do2(t.Actor, func() (kit.Watch[*Entry], error) {
		return client.Watch(t.Context(), kit.ListOptions{Namespace: s.ns, ResourceVersion: list.ResourceVersion})
	}, "Watch(resourceVersion=%s)", list.ResourceVersion)
	if err == nil {
		defer w.Stop()
		err = firstError(t, w)
	}
	if !kit.IsResourceExpired(err) {
		t.Fatalf("Version %s is compacted, and the server says so: what came is %v, whose reason is not Expired.", list.ResourceVersion, conform.Said(err))
	}
}

// firstError is the Status of the Error with which a watch begins.
func firstError(t *conform.T, w kit.Watch[*Entry]) error {
	select {
	case event, more := <-w.ResultChan():
		switch {
		case !more:
			t.Fatalf("The ResultChan was closed without an Error, and the server had sent one.")
		case event.Type != kit.Error || event.Status == nil:
			t.Fatalf("The watch began with %s, and the server had sent an ERROR with a Status.", event.Type)
		}
		return &kit.StatusError{ErrStatus: *event.Status}
	case <-time.After(long()):
		t.Fatalf("The watch has delivered nothing for %v, and the server had sent an ERROR.", long())
	}
	return nil
}
