package controlplanetest

import (
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// length is that of a long name. A case about memory names things at such a length that whatever
// is kept of each of them is seen.
const length = 1 << 9

func long(what string, i int) string {
	return what + "-" + strconv.Itoa(i) + "-" + strings.Repeat("x", length)
}

// eventSink is an API server that takes every event and keeps none.
type eventSink struct {
	kit.Client[*kit.CoreEvent]
	created atomic.Int64
}

func (s *eventSink) Create(_ context.Context, e *kit.CoreEvent) (*kit.CoreEvent, error) {
	stored, n := *e, s.created.Add(1)
	stored.Name, stored.UID, stored.ResourceVersion = e.GenerateName+strconv.FormatInt(n, 10), "uid", "1"
	return &stored, nil
}

func (s *eventSink) Get(_ context.Context, namespace, name string) (*kit.CoreEvent, error) {
	return nil, kit.NewNotFound("events", namespace+"/"+name)
}

func (s *eventSink) Update(_ context.Context, e *kit.CoreEvent) (*kit.CoreEvent, error) {
	return nil, kit.NewNotFound("events", kit.Key(e))
}

func checkForgets(t *conform.T, open func() Subject) {
	s := open()
	sink := &eventSink{}
	l := &log{t: t}
	t.Do(func() { l.r = s.NewRecorder(sink, "suite", 0) }, "NewRecorder(buffer 0)")
	defer l.run()()
	const first, events = 2 * 4096, 7 * 4096
	about := func(i int) (name, message string) { return long("pod", i), "restarting" }
	l.many(0, first, "each about another object", about) // by now it remembers all that it may
	l.forgets(first, events, "each about another object", about)
	t.Require(sink.created.Load() == events, "There were %d events, each about another object, and %s created at the API server. There were never more than 500 of them that waited, and the buffer has room for 1000.",
		events, conform.Count(int(sink.created.Load()), "event was", "events were"))
	l.forgets(0, 4*4096, "all about one object, each with another message", func(i int) (name, message string) { return "web", long("try", i) })
	runtime.KeepAlive(l)
	remembersMany(t, s)
}

// forgets has the recorder write so many events, and requires that it has not kept what is long
// in each of them. How often it keeps that of the 4096 that it remembers is its own affair.
func (l *log) forgets(from, to int, what string, event func(i int) (name, message string)) {
	before, most := probe.Heap(), int64((to-from)*length)
	l.many(from, to, what, event)
	grown := probe.Growth(before, most)
	l.t.Require(grown < most, "There were %d events, %s, whose names and messages come to %d MiB, and %d before them. A Recorder remembers 4096 events or so, and may forget the rest. Its memory has grown by %d MiB.", to-from, what, most>>20, from, grown>>20)
}

// many has the recorder write so many events.
func (l *log) many(from, to int, what string, event func(i int) (name, message string)) {
	call := l.t.Call("Eventf(…), for %d events, %s", to-from, what)
	for i := from; i < to; i++ {
		name, message := event(i)
		l.r.Eventf(kit.ObjectReference{Kind: "Pod", Namespace: "ns", Name: name, UID: name[:min(len(name), 10)]}, kit.EventWarning, "BackOff", "%s", message)
		if i%500 == 499 {
			l.settle()
		}
	}
	call.Returned("")
	l.settle()
}

// podSink is an API server whose pods are those of a cache that follows at once.
type podSink struct {
	kit.Client[*kit.Pod]
	cache    *fake.Cache[*kit.Pod]
	reported atomic.Int64
}

func (s *podSink) Get(_ context.Context, namespace, name string) (*kit.Pod, error) {
	pod, exists := s.cache.GetByKey(namespace + "/" + name)
	if !exists {
		return nil, kit.NewNotFound("pods", namespace+"/"+name)
	}
	return pod.DeepCopy(), nil
}

func (s *podSink) Update(_ context.Context, pod *kit.Pod) (*kit.Pod, error) {
	pod = pod.DeepCopy()
	if pod.Status.Ready {
		s.reported.Add(1)
	}
	s.cache.Store(pod)
	return pod.DeepCopy(), nil
}

// comeAndGo has pods come, and go a second later. Both their names and their UIDs are long.
func comeAndGo(n *node, sink *podSink, from, to int) {
	handler := n.k.PodHandler()
	for i := from; i < to; i++ {
		pod := boundPod(long("web", i), "n1")
		pod.UID, pod.ResourceVersion = long("uid", i), "1"
		sink.cache.Store(pod)
		handler.OnAdd(pod, false)
	}
	time.Sleep(soon)
	for _, pod := range sink.cache.Items() {
		sink.cache.Drop(kit.Key(pod))
		handler.OnDelete(pod, false)
	}
}

// forgetsTheDeleted has very many pods come, run and go, and requires that the kubelet keeps
// nothing of them.
func forgetsTheDeleted(t *conform.T, s Subject) {
	const pods, batch = 1 << 10, 1 << 4
	n, sink := newSink(t, s)
	before := probe.Heap()
	call := t.Call("PodHandler() hears of %d pods, and of the deletion of each when it runs", pods)
	for i := 0; i < pods; i += batch {
		comeAndGo(n, sink, i, i+batch)
	}
	call.Returned("")
	sink.allReady(t, pods, 0)
	time.Sleep(time.Minute)
	n.keepsLittle(before, pods*length, fmt.Sprintf("%d pods came, ran and were deleted, and their names", pods))
	forgetsTheReplaced(n, sink)
	runtime.KeepAlive(n)
	n.end()
}

// newSink is a kubelet that runs, of an API server that keeps nothing but the pods there are.
func newSink(t *conform.T, s Subject) (*node, *podSink) {
	sink := &podSink{cache: fake.NewCache(kit.Pods)}
	_ = sink.cache.AddIndexers(map[string]kit.IndexFunc[*kit.Pod]{"node": byNode}) // the first index there
	n := &node{t: t, nodes: fake.Serve(fake.NewServer(t), kit.Nodes)}
	n.nodes.Show = showNode
	t.Do(func() {
		n.k = s.NewKubelet(KubeletParts{Node: "n1", Pods: sink, Nodes: n.nodes, PodCache: sink.cache})
	}, "NewKubelet(n1, Life nil)")
	n.begin()
	return n, sink
}

// forgetsTheReplaced has each of a few pods be replaced by another of its name, again and again,
// and requires that the kubelet keeps nothing of those that were.
func forgetsTheReplaced(n *node, sink *podSink) {
	const names, times = 1 << 4, 1 << 6
	handler, reported, before := n.k.PodHandler(), sink.reported.Load(), probe.Heap()
	call := n.t.Call("PodHandler() hears of %d pods, and %d times that each was replaced by another of its name", names, times)
	for i := range times {
		for name := range names {
			pod := boundPod(fmt.Sprint("web-", name), "n1")
			pod.UID, pod.ResourceVersion = long("uid", i*names+name), strconv.Itoa(i+1)
			old, replaced := sink.cache.GetByKey(kit.Key(pod))
			sink.cache.Store(pod)
			if replaced {
				handler.OnDelete(old, false)
			}
			handler.OnAdd(pod, false)
		}
		time.Sleep(soon)
	}
	call.Returned("")
	sink.allReady(n.t, names*times, reported)
	n.keepsLittle(before, names*times*length, fmt.Sprintf("%d pods were replaced by others of their names, %d times each, and the UIDs", names, times))
}

// allReady requires that each of so many pods was reported ready, after the first reports.
func (s *podSink) allReady(t *conform.T, pods int, first int64) {
	reports := int(s.reported.Load() - first)
	t.Require(reports >= pods, "Life is nil, so that a pod runs and is ready as soon as the kubelet has seen it. There were %d pods, each for more than a second, and %s.", pods, conform.Count(reports, "report that one is ready", "reports that one is ready"))
}

// keepsLittle requires that the heap has grown by less than half of the bytes of pods that are gone. Gone
// says whose bytes these are.
func (n *node) keepsLittle(before, bytes int64, gone string) {
	grown := probe.Growth(before, bytes/2)
	n.t.Require(grown < bytes/2, "A deleted pod is forgotten. %s come to %d KiB. The memory of the kubelet has grown by %d KiB.", gone, bytes>>10, grown>>10)
}
