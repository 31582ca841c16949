package replicasettest

import (
	"fmt"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// This file is what the history shows of a world.

// showPod is a pod with its owner, and with what it has that not every pod has.
func showPod(p *kit.Pod) string {
	key := fmt.Sprint(conform.Show(p))
	if p.Name == "" {
		return key // a creation, of which the name is not known yet
	}
	words := unusual(p)
	if owner := p.ControllerOf(); owner != nil {
		words = append([]string{fmt.Sprintf("of %s/%s", owner.Name, owner.UID)}, words...)
	}
	return key + "{" + strings.Join(words, ", ") + "}"
}

// briefPod is a pod as lists have it.
func briefPod(p *kit.Pod) string {
	if words := unusual(p); len(words) > 0 {
		return p.Name + "{" + strings.Join(words, ", ") + "}"
	}
	return p.Name
}

// unusual is what a pod has that not every pod has.
func unusual(p *kit.Pod) []string {
	var words []string
	owner := p.ControllerOf()
	if owner == nil {
		words = append(words, "no owner")
	}
	if owner == nil || p.Labels["app"] != owner.Name {
		words = append(words, "app="+p.Labels["app"])
	}
	if p.Status.Phase == kit.PodFailed || p.Status.Phase == kit.PodSucceeded {
		words = append(words, string(p.Status.Phase))
	}
	if p.DeletionTimestamp != nil {
		words = append(words, "being deleted")
	}
	return words
}

// briefSet is a ReplicaSet as lists have it.
func briefSet(rs *kit.ReplicaSet) string {
	return fmt.Sprintf("%s{replicas %d}", rs.Name, rs.Spec.Replicas)
}

// showSet is a ReplicaSet with what it asks for and what it reports.
func showSet(rs *kit.ReplicaSet) string {
	text := fmt.Sprintf("%v{%s, replicas %d", conform.Show(rs), rs.UID, rs.Spec.Replicas)
	if s := rs.Status; s != (kit.ReplicaSetStatus{}) {
		text += fmt.Sprintf("; status %d, %d ready, %d available", s.Replicas, s.ReadyReplicas, s.AvailableReplicas)
		if s.ObservedGeneration != rs.Generation {
			text += fmt.Sprintf(", generation %d of %d", s.ObservedGeneration, rs.Generation)
		}
	}
	if rs.DeletionTimestamp != nil {
		text += ", being deleted"
	}
	return text + "}"
}

// count is a number of things in words.
func count(n int, thing string) string {
	switch n {
	case 0:
		return "no " + thing + "s"
	case 1:
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// list is names in words, "none" if there are none.
func list(names []string) string {
	const most = 8
	switch n := len(names); {
	case n == 0:
		return "none"
	case n > most:
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n-most)
	}
	return strings.Join(names, ", ")
}

// look is a cache as a subject sees it. What it is asked stands in the history, while the case
// itself has called Reconcile: what handlers ask would drown that.
type look[T kit.Object] struct {
	kit.Indexer[T]
	w     *world
	field string // of Options
	show  func(obj T) string
	brief func(obj T) string
}

// GetByKey returns one object.
func (l look[T]) GetByKey(key string) (T, bool) {
	return l.finds(func() (T, bool) { return l.Indexer.GetByKey(key) }, "GetByKey(%s)", key)
}

// Get returns what the cache has under the key of obj.
func (l look[T]) Get(obj T) (T, bool) {
	return l.finds(func() (T, bool) { return l.Indexer.Get(obj) }, "Get(%s)", obj)
}

// List returns all objects.
func (l look[T]) List() []T {
	all, _ := l.lists(func() ([]T, error) { return l.Indexer.List(), nil }, "List()")
	return all
}

// Index returns the objects that have a value of obj in an index.
func (l look[T]) Index(name string, obj T) ([]T, error) {
	return l.lists(func() ([]T, error) { return l.Indexer.Index(name, obj) }, "Index(%s, %s)", name, obj)
}

// ByIndex returns the objects that have a value in an index.
func (l look[T]) ByIndex(name, value string) ([]T, error) {
	return l.lists(func() ([]T, error) { return l.Indexer.ByIndex(name, value) }, "ByIndex(%s, %s)", name, value)
}

func (l look[T]) finds(find func() (T, bool), format string, args ...any) (T, bool) {
	if !l.w.looking.Load() {
		return find()
	}
	call := l.w.looks.Call(l.field+"."+format, args...)
	obj, exists := find()
	if exists {
		call.Returned("%s", l.show(obj))
	} else {
		call.Returned("nothing")
	}
	return obj, exists
}

func (l look[T]) lists(find func() ([]T, error), format string, args ...any) ([]T, error) {
	if !l.w.looking.Load() {
		return find()
	}
	call := l.w.looks.Call(l.field+"."+format, args...)
	all, err := find()
	const most = 20 // more than a history shows
	texts := make([]string, min(len(all), most))
	for i := range texts {
		texts[i] = l.brief(all[i])
	}
	if err != nil {
		call.Returned("%v", err)
	} else {
		call.Returned("%d: [%s]", len(all), strings.Join(texts, " "))
	}
	return all, err
}

// version is a function of Options that says how far a cache is.
func (w *world) version(field string, version func() string) func() string {
	return func() string {
		if !w.looking.Load() {
			return version()
		}
		return conform.Do(w.looks, version, "%s()", field)
	}
}
