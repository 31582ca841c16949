package schedulertest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// cluster is an API server with pods and nodes, informers of both that run, and a judge of
// every binding.
type cluster struct {
	pods     *fake.Resource[*kit.Pod]
	nodes    *fake.Resource[*kit.Node]
	podFeed  *fake.Informer[*kit.Pod]
	nodeFeed *fake.Informer[*kit.Node]
	notes    *fake.Recorder

	mu     sync.Mutex // guards broken
	broken []string   // rules that a request has broken
}

func newCluster(t *conform.T) *cluster {
	server := fake.NewServer(t)
	c := &cluster{pods: fake.Serve(server, kit.Pods), nodes: fake.Serve(server, kit.Nodes), notes: fake.NewRecorder(t)}
	c.podFeed, c.nodeFeed = fake.NewInformer(c.pods), fake.NewInformer(c.nodes)
	c.pods.Unconditional, c.pods.Show = true, show
	c.pods.OnUpdate(c.judge)
	c.intercept()
	return c
}

// newNode is a ready node with room for the given number of pods, a thousandth of a
// core and a byte of memory for each hundredth.
func newNode(name string, pods int64) *kit.Node {
	n := kit.Nodes.New()
	n.Name = name
	n.Status.Allocatable = kit.Resources{CPU: 100 * pods, Memory: 100 * pods, Pods: pods}
	n.Status.Ready = true
	return n
}

// newPod is a pod that asks for a hundredth of what newNode counts as room for one.
func newPod(name string) *kit.Pod {
	p := kit.Pods.New()
	p.Namespace, p.Name = "default", name
	p.Spec.CPU, p.Spec.Memory, p.Spec.Image = 100, 100, "web"
	p.Status.Phase = kit.PodPending
	return p
}

// key is where a pod of newPod is stored.
func key(pod string) string { return "default/" + pod }

// bound is newPod with a node.
func bound(name, node string) *kit.Pod {
	p := newPod(name)
	p.Spec.NodeName = node
	return p
}

func (c *cluster) addPods(pods ...*kit.Pod) {
	for _, p := range pods {
		c.pods.Put(p)
	}
}

// What may happen to a pod without the scheduler.
func (c *cluster) bind(pod, node string) {
	c.pods.Change(key(pod), func(p *kit.Pod) { p.Spec.NodeName = node })
}

func (c *cluster) finish(pod string, phase kit.PodPhase) {
	c.pods.Change(key(pod), func(p *kit.Pod) { p.Status.Phase = phase })
}

func (c *cluster) mark(pod string) {
	now := time.Now()
	c.pods.Change(key(pod), func(p *kit.Pod) { p.DeletionTimestamp = &now })
}

// recreatePod deletes a pod and creates another of the same name while the informer does
// not look: it makes one update of that.
func (c *cluster) recreatePod(name string) {
	c.podFeed.Break(func() {
		c.pods.Remove(key(name))
		c.pods.Put(newPod(name))
	})
}

// nodeOf is where a pod runs in the cluster, "" for nowhere.
func (c *cluster) nodeOf(name string) string {
	if p := c.pods.Now(key(name)); p != nil {
		return p.Spec.NodeName
	}
	return ""
}

// updatesOf is how many Updates were about one pod so far.
func (c *cluster) updatesOf(name string) int {
	return len(slices.DeleteFunc(c.pods.Requests(fake.Update), func(q fake.Request) bool { return q.Key != key(name) }))
}

// on is how many pods have a node.
func (c *cluster) on(node string) int {
	return len(slices.DeleteFunc(c.pods.All(), func(p *kit.Pod) bool { return p.Spec.NodeName != node }))
}

// intercept plays with the requests from now on, in the place of what did before.
func (c *cluster) intercept(between ...fake.Interceptor) {
	c.pods.Intercept(append([]fake.Interceptor{c.look}, between...)...)
}

// updates plays with each Update of a pod; write carries it out.
func updates(f func(ctx context.Context, pod string, write func() error) error) fake.Interceptor {
	return func(ctx context.Context, q *fake.Request, next func() error) error {
		if q.Verb != fake.Update {
			return next()
		}
		return f(ctx, q.Sent.GetName(), next)
	}
}

// slowly has the Updates of a pod, or of all for "", wait at a gate.
func slowly(g *gate, pod string) fake.Interceptor {
	return updates(func(_ context.Context, updated string, write func() error) error {
		if pod == "" || pod == updated {
			g.pass()
		}
		return write()
	})
}

// gets calls f before each Get is carried out.
func gets(f func()) fake.Interceptor {
	return fake.Before(func(q *fake.Request) error {
		if q.Verb == fake.Get {
			f()
		}
		return nil
	})
}

// look sees to it that a request is one that a scheduler may make.
func (c *cluster) look(ctx context.Context, q *fake.Request, next func() error) error {
	if ctx.Value(ofRun{}) == nil {
		c.breaks("a request, %s, had a ctx that was not made from the one of Run", q.Verb)
	}
	if q.Verb == fake.Create || q.Verb == fake.Delete {
		return errors.New("a scheduler neither creates nor deletes pods")
	}
	return next()
}

// judge notes what a binding may not do. It is called when the pod is written, and holds
// the server's lock: nothing comes between.
func (c *cluster) judge(old, pod *kit.Pod) {
	node := pod.Spec.NodeName
	if old.Spec.NodeName != "" {
		c.breaks("%s ran on %s and was written over: now on %s", old.Name, old.Spec.NodeName, node)
	}
	if node == "" {
		c.breaks("%s was written without a node", old.Name)
	}
	want := old.DeepCopy()
	want.Spec.NodeName, want.ResourceVersion = node, pod.ResourceVersion
	if !reflect.DeepEqual(want, pod) {
		c.breaks("%s was changed in more than its node: from %+v to %+v", old.Name, *old, *pod)
	}
	for _, n := range c.nodes.Standing() {
		used, has := used(slices.Values(c.pods.Standing()), node), n.Status.Allocatable
		if n.Name == node && (used.CPU > has.CPU || used.Memory > has.Memory || used.Pods > has.Pods) {
			c.breaks("%s is overcommitted: it has %+v, its pods ask for %+v", node, has, used)
		}
	}
}

// fits reports whether a pod could run on a node as things really are.
func (c *cluster) fits(p *kit.Pod, node string) bool {
	n, used := c.nodes.Now(node), used(slices.Values(c.pods.All()), node)
	has := n.Status.Allocatable
	return !n.Spec.Unschedulable && used.Pods+1 <= has.Pods &&
		(p.Spec.CPU == 0 || used.CPU+p.Spec.CPU <= has.CPU) && (p.Spec.Memory == 0 || used.Memory+p.Spec.Memory <= has.Memory)
}

// breaks notes a broken rule.
func (c *cluster) breaks(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.broken) < 3 {
		c.broken = append(c.broken, fmt.Sprintf(format, args...))
	}
}
