package upstream

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/fake"

	"github.com/controllerbook/controllerbook/labs/kit"
	lab14 "github.com/controllerbook/controllerbook/solutions/14-deltafifo"
	lab15 "github.com/controllerbook/controllerbook/solutions/15-indexer"
	lab16 "github.com/controllerbook/controllerbook/solutions/16-reflector"
	lab17 "github.com/controllerbook/controllerbook/solutions/17-informer"
)

// What the labs know of an object is a part of what Kubernetes' own can do.
var _ kit.Object = (*corev1.Pod)(nil)

// The other way around: not a real cache for the suite's pods, but the solutions of
// labs 14 to 17 with real pods, from client-go's fake clientset. Nothing in them has to
// be changed for that.
func TestSolutionsHoldRealPods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clients := fake.NewClientset(realPod("a", "1", "node-1"), realPod("b", "2", "node-2"))
		cache, heard, stop := startReal(t, clients)
		defer stop()
		synctest.Wait()
		assert.ElementsMatch(t, []string{"add a@1 initial", "add b@2 initial"}, heard.take())

		ctx := t.Context()
		pods := clients.CoreV1().Pods("default")
		_, err := pods.Create(ctx, realPod("c", "3", ""), metav1.CreateOptions{})
		require.NoError(t, err)
		_, err = pods.Update(ctx, realPod("c", "4", "node-1"), metav1.UpdateOptions{})
		require.NoError(t, err)
		require.NoError(t, pods.Delete(ctx, "b", metav1.DeleteOptions{}))
		synctest.Wait()
		assert.Equal(t, []string{"add c@3", "update c@3→c@4", "delete b@2"}, heard.take())

		keys, err := cache.IndexKeys("node", "node-1")
		require.NoError(t, err)
		assert.ElementsMatch(t, []string{"default/a", "default/c"}, keys)
		c, exists := cache.GetByKey("default/c")
		require.True(t, exists)
		assert.Equal(t, "nginx", c.Spec.Containers[0].Image, "what the labs know nothing of is there as well")
	})
}

func realPod(name, version, node string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name, ResourceVersion: version},
		Spec:       corev1.PodSpec{NodeName: node, Containers: []corev1.Container{{Name: "web", Image: "nginx"}}},
	}
}

// startReal runs an informer made of nothing but solutions.
func startReal(t *testing.T, clients kubernetes.Interface) (cache kit.Indexer[*corev1.Pod], heard *lines, stop func()) {
	cache = lab15.New(map[string]kit.IndexFunc[*corev1.Pod]{
		"node": func(p *corev1.Pod) ([]string, error) { return []string{p.Spec.NodeName}, nil },
	})
	i := lab17.New(lab17.Options[*corev1.Pod]{
		Indexer: cache,
		Queue:   lab14.New(lab14.Options[*corev1.Pod]{KnownObjects: cache}),
		Reflect: func(ctx context.Context, store kit.DeltaStore[*corev1.Pod], resync time.Duration, shouldResync func() bool) {
			options := lab16.Options{ResyncPeriod: resync, ShouldResync: shouldResync}
			lab16.New(realServer{clients}, store, options).Run(ctx)
		},
	})
	heard = &lines{}
	_, err := i.AddEventHandler(heard.handler())
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { i.Run(ctx) })
	return cache, heard, func() { cancel(); run.Wait() }
}

// lines is what a handler has heard.
type lines struct {
	mu    sync.Mutex // guards heard
	heard []string
}

func (l *lines) handler() kit.ResourceEventHandler[*corev1.Pod] {
	show := func(p *corev1.Pod) string { return p.Name + "@" + p.ResourceVersion }
	return kit.ResourceEventHandlerFuncs[*corev1.Pod]{
		AddFunc: func(p *corev1.Pod, isInInitialList bool) {
			l.add("add %s%s", show(p), map[bool]string{true: " initial"}[isInInitialList])
		},
		UpdateFunc: func(old, p *corev1.Pod) { l.add("update %s→%s", show(old), show(p)) },
		DeleteFunc: func(p *corev1.Pod, _ bool) { l.add("delete %s", show(p)) },
	}
}

func (l *lines) add(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, fmt.Sprintf(format, args...))
}

func (l *lines) take() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	heard := slices.Clone(l.heard)
	l.heard = nil
	return heard
}

// realServer is a typed client of client-go as the labs see an API server.
type realServer struct{ clients kubernetes.Interface }

func (s realServer) List(ctx context.Context, o kit.ListOptions) (kit.List[*corev1.Pod], error) {
	list, err := s.clients.CoreV1().Pods(o.Namespace).List(ctx, metav1.ListOptions{ResourceVersion: o.ResourceVersion})
	if err != nil {
		return kit.List[*corev1.Pod]{}, err
	}
	ours := kit.List[*corev1.Pod]{ResourceVersion: list.ResourceVersion}
	for i := range list.Items {
		ours.Items = append(ours.Items, &list.Items[i])
	}
	return ours, nil
}

func (s realServer) Watch(ctx context.Context, o kit.ListOptions) (kit.Watch[*corev1.Pod], error) {
	w, err := s.clients.CoreV1().Pods(o.Namespace).Watch(ctx, metav1.ListOptions{ResourceVersion: o.ResourceVersion, AllowWatchBookmarks: o.AllowWatchBookmarks})
	if err != nil {
		return nil, err
	}
	return newRelay(w, func(e watch.Event) kit.Event[*corev1.Pod] {
		if status, failed := e.Object.(*metav1.Status); failed {
			ours := kit.NewStatusError(kit.Reason(status.Reason), "%s", status.Message).ErrStatus
			return kit.Event[*corev1.Pod]{Type: kit.Error, Status: &ours}
		}
		return kit.Event[*corev1.Pod]{Type: kit.EventType(e.Type), Object: e.Object.(*corev1.Pod)}
	}), nil
}
