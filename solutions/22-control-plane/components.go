package controlplane

import (
	"context"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// process is what a component has while it lives: its own connection and recorder, and
// goroutines that end with it.
type process struct {
	api      API
	recorder *Recorder

	ctx context.Context // ends with the component
	all sync.WaitGroup
}

// live is one life of a component: all that is started in it has ended when it returns.
func (c *ControlPlane) live(ctx context.Context, name string, body func(ctx context.Context, p *process) error) error {
	ctx, cancel := context.WithCancel(ctx)
	p := &process{api: c.parts.Connect(name), ctx: ctx}
	defer p.all.Wait()
	defer cancel()
	p.recorder = NewRecorder(RecorderOptions{Events: p.api.Events, Component: name})
	p.all.Go(func() { _ = p.recorder.Run(ctx) }) // it has nothing to say but nil
	return body(ctx, p)
}

// informer makes an informer that lives as long as p. It runs at once: handlers may be
// added to one that does.
func informer[T kit.Object](p *process, kind Kind[T], source Resource[T], indices map[string]kit.IndexFunc[T]) kit.SharedInformer[T] {
	i := kind.NewInformer(source, indices)
	p.all.Go(func() { i.Run(p.ctx) })
	return i
}

// feed makes a source of the handlers that a reconciler has.
func feed[T kit.Object](kind Kind[T], informer kit.SharedInformer[T], handler func(enqueue func(kit.Request)) kit.ResourceEventHandler[T]) Source {
	return kind.NewSource(informer, func(queue kit.RateLimitingQueue[kit.Request]) kit.ResourceEventHandler[T] {
		return handler(queue.Add)
	})
}

// control runs a controller. It starts its workers when all sources have synced.
func (c *ControlPlane) control(ctx context.Context, name string, reconciler kit.Reconciler, queue kit.RateLimitingQueue[kit.Request], sources ...Source) error {
	defer queue.ShutDown() // a controller that could not start may have left it open
	return c.parts.NewController(ControllerOptions{
		Reconciler: reconciler, Queue: queue, Workers: c.options.Workers, Sources: sources,
		OnError: func(_ kit.Request, err error) { c.options.OnError(name, err) },
	}).Start(ctx)
}

func (c *ControlPlane) deployments(ctx context.Context, p *process) error {
	deployments := informer(p, c.parts.Deployments, p.api.Deployments, nil)
	sets := informer(p, c.parts.ReplicaSets, p.api.ReplicaSets, map[string]kit.IndexFunc[*kit.ReplicaSet]{ControllerIndex: ByReplicaSetController})
	r := NewDeploymentReconciler(DeploymentOptions{
		Deployments: p.api.Deployments, ReplicaSets: p.api.ReplicaSets,
		DeploymentCache: deployments.GetIndexer(), ReplicaSetCache: sets.GetIndexer(),
		Recorder: p.recorder,
	})
	return c.control(ctx, DeploymentController, r, c.parts.NewPriorityQueue(),
		feed(c.parts.Deployments, deployments, r.DeploymentHandler),
		feed(c.parts.ReplicaSets, sets, r.ReplicaSetHandler))
}

func (c *ControlPlane) replicaSets(ctx context.Context, p *process) error {
	sets := informer(p, c.parts.ReplicaSets, p.api.ReplicaSets, nil)
	pods := informer(p, c.parts.Pods, p.api.Pods, nil)
	r := c.parts.NewReplicaSet(ReplicaSetOptions{
		ReplicaSets: p.api.ReplicaSets, Pods: p.api.Pods,
		ReplicaSetCache: sets.GetIndexer(), PodCache: pods.GetIndexer(),
		Recorder: p.recorder,
	})
	return c.control(ctx, ReplicaSetController, r, c.parts.NewQueue(),
		feed(c.parts.ReplicaSets, sets, r.ReplicaSetHandler),
		feed(c.parts.Pods, pods, r.PodHandler))
}

func (c *ControlPlane) nodeLifecycle(ctx context.Context, p *process) error {
	nodes := informer(p, c.parts.Nodes, p.api.Nodes, nil)
	pods := informer(p, c.parts.Pods, p.api.Pods, map[string]kit.IndexFunc[*kit.Pod]{NodeIndex: ByNode})
	r := NewNodeLifecycleReconciler(NodeLifecycleOptions{
		Nodes: p.api.Nodes, Pods: p.api.Pods, NodeCache: nodes.GetIndexer(), PodCache: pods.GetIndexer(),
		GracePeriod: c.options.GracePeriod, EvictAfter: c.options.EvictAfter,
		Recorder: p.recorder,
	})
	return c.control(ctx, NodeLifecycleController, r, c.parts.NewQueue(),
		feed(c.parts.Nodes, nodes, r.NodeHandler),
		feed(c.parts.Pods, pods, r.PodHandler))
}

func (c *ControlPlane) scheduler(ctx context.Context, p *process) error {
	s := c.parts.NewScheduler(SchedulerOptions{Pods: p.api.Pods, Recorder: p.recorder})
	nodes, err := informer(p, c.parts.Nodes, p.api.Nodes, nil).AddEventHandler(s.NodeHandler())
	if err != nil {
		return err
	}
	pods, err := informer(p, c.parts.Pods, p.api.Pods, nil).AddEventHandler(s.PodHandler())
	if err != nil {
		return err
	}
	// A scheduler that does not know all pods takes nodes for emptier than they are.
	if !until(ctx, func() bool { return nodes.HasSynced() && pods.HasSynced() }) {
		return nil
	}
	return s.Run(ctx)
}

func (c *ControlPlane) sweeper(ctx context.Context, p *process) error {
	tick := time.NewTicker(c.options.SweepEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if err := SweepEvents(ctx, p.api.Events, c.options.EventTTL); worthReporting(ctx, err) {
			c.options.OnError(EventSweeper, err)
		}
	}
}

// watchForKubelets makes the informer that all kubelets share. Each change goes to the one
// kubelet that it is for: as many handlers as there are nodes, each of which hears of every
// pod, would be the square of the cluster's size.
func (c *ControlPlane) watchForKubelets() {
	c.pods = c.parts.Pods.NewInformer(c.parts.Connect(KubeletWatch).Pods, map[string]kit.IndexFunc[*kit.Pod]{NodeIndex: ByNode})
	_, err := c.pods.AddEventHandler(kit.ResourceEventHandlerFuncs[*kit.Pod]{
		AddFunc:    func(pod *kit.Pod, isInInitialList bool) { c.handlerFor(pod).OnAdd(pod, isInInitialList) },
		UpdateFunc: func(before, after *kit.Pod) { c.handlerFor(after).OnUpdate(before, after) },
		DeleteFunc: func(pod *kit.Pod, unknown bool) { c.handlerFor(pod).OnDelete(pod, unknown) },
	})
	if err != nil {
		c.options.OnError(KubeletWatch, err)
	}
}

// handlerFor is the handler of the kubelet that runs pod, or one that does nothing.
func (c *ControlPlane) handlerFor(pod *kit.Pod) kit.ResourceEventHandler[*kit.Pod] {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k := c.kubelets[pod.Spec.NodeName]; k != nil {
		return k.PodHandler()
	}
	return kit.ResourceEventHandlerFuncs[*kit.Pod]{}
}

func (c *ControlPlane) kubelet(ctx context.Context, p *process, m Machine) error {
	if !until(ctx, c.pods.HasSynced) {
		return nil
	}
	k := NewKubelet(KubeletOptions{
		Node: m.Name, Labels: m.Labels, Allocatable: m.Allocatable,
		Pods: p.api.Pods, Nodes: p.api.Nodes, PodCache: c.pods.GetIndexer(),
		Life: c.options.Life, Heartbeat: c.options.Heartbeat, Now: m.Now,
		Recorder: p.recorder,
	})
	// It hears of changes before Run looks at what is there: nothing falls in between.
	c.present(m.Name, k)
	defer c.present(m.Name, nil)
	return k.Run(ctx)
}

func (c *ControlPlane) present(node string, k *Kubelet) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if k == nil {
		delete(c.kubelets, node)
	} else {
		c.kubelets[node] = k
	}
}

// until waits for something that nobody announces. It returns false if ctx is done first.
func until(ctx context.Context, done func() bool) bool {
	const look = 10 * time.Millisecond
	tick := time.NewTicker(look)
	defer tick.Stop()
	for !done() {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
		}
	}
	return ctx.Err() == nil
}
