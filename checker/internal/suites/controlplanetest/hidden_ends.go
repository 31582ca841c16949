package controlplanetest

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// tedious is an API server that takes five seconds for each event that it is to create, whether or
// not anybody still waits for it.
type tedious struct {
	t *conform.T

	by string // whose requests are slow, in words

	mu    sync.Mutex // guards the fields below
	slow  bool
	under map[string]int // by component, the slow requests under way
}

// tediousEvents is a component's connection for events.
type tediousEvents struct {
	Resource[*kit.CoreEvent]
	server    *tedious
	component string
}

func (r tediousEvents) Create(ctx context.Context, e *kit.CoreEvent) (*kit.CoreEvent, error) {
	if r.server.begins(r.component) {
		time.Sleep(5 * time.Second)
		r.server.ends(r.component)
	}
	return r.Resource.Create(ctx, e)
}

// slows says whether further requests are slow ones.
func (s *tedious) slows(slow bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow = slow
}

// begins reports whether this request is a slow one.
func (s *tedious) begins(component string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.slow {
		s.under[component]++
	}
	return s.slow
}

func (s *tedious) ends(component string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.under[component]--
}

func (s *tedious) of(component string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.under[component]
}

// connect is where a component starts: by then nothing of its last life is left.
func (s *tedious) connect(component string, api API) API {
	s.anew(component)
	api.Events = tediousEvents{api.Events, s, component}
	return api
}

// anew requires that nothing of the last life of a component is under way.
func (s *tedious) anew(component string) {
	if left := s.of(component); left > 0 {
		s.t.Errorf("The component %s has connected for its next life while its last one still had %s under way, by %s. When a component ends, all of that ends with it, before it starts anew.",
			component, conform.Count(left, "request"), s.by)
	}
}

// ended requires, when Start has returned, that nothing of these components is under way.
func (s *tedious) ended(components []string) {
	for _, name := range components {
		left := s.of(name)
		s.t.Require(left == 0, "The ctx of Start was done, and Start returned while %s still had %s under way, by %s. It blocks until all of it has ended.", name, conform.Count(left, "request"), s.by)
	}
}

// busy waits until the recorders of both components write an event. Labs 20 and 21 see to it that
// each has something to say.
func (s *tedious) busy(components []string) {
	for range 600 {
		if s.of(components[0]) > 0 && s.of(components[1]) > 0 {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	s.t.Fatalf("The user deployed another image a minute ago, and the components %s and %s do not both write events about what they do.", components[0], components[1])
}

// endsAsAWhole kills one component, stops and resumes another, and in the end stops all of them, while their recorders wait for an
// answer.
func endsAsAWhole(t *conform.T, s Subject) {
	server := &tedious{t: t, by: "its Recorder", under: map[string]int{}}
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: server.connect})
	defer c.close()
	c.deploy("a")
	c.converge("a", time.Minute)
	t.Note("from here on the API server takes 5s for each event, even if nobody waits for it")
	server.slows(true)
	both := []string{"replicaset-controller", "scheduler"}
	c.deploy("b")
	server.busy(both)
	up := c.kill(both[0])
	t.Require(up, "Kill says that %s was not up.", both[0])
	c.halt(both[1])
	c.resume(both[1])
	c.converge("b", 2*time.Minute)
	c.deploy("c")
	server.busy(both)
	c.closing = true
	c.stop()
	<-c.ended
	server.ended(both)
}

// tediousLists is a component's connection for one type. A list of it takes five seconds, and one
// for all kubelets twenty, whether or not anybody still waits for it.
type tediousLists[T kit.Object] struct {
	Resource[T]
	server    *tedious
	component string
}

func (r tediousLists[T]) List(ctx context.Context, options kit.ListOptions) (kit.List[T], error) {
	if r.server.begins(r.component) {
		if r.component == "kubelets" {
			time.Sleep(15 * time.Second)
		}
		time.Sleep(5 * time.Second)
		r.server.ends(r.component)
	}
	return r.Resource.List(ctx, options)
}

// endsWithItsInformers kills all components while their informers wait for the first list, and stops
// all while those of the next lives, and that of all kubelets, do.
func endsWithItsInformers(t *conform.T, s Subject) {
	server := &tedious{t: t, by: "one of its informers", slow: true, under: map[string]int{}}
	connect := func(component string, api API) API {
		server.anew(component)
		return API{
			Deployments: tediousLists[*kit.Deployment]{api.Deployments, server, component},
			ReplicaSets: tediousLists[*kit.ReplicaSet]{api.ReplicaSets, server, component},
			Pods:        tediousLists[*kit.Pod]{api.Pods, server, component},
			Nodes:       tediousLists[*kit.Node]{api.Nodes, server, component},
			Events:      api.Events,
		}
	}
	t.Note("the API server takes 5s for each list, and 20s for one for all kubelets, even if nobody waits for it")
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: connect})
	defer c.close()
	time.Sleep(2 * time.Second)
	names := append(c.plane.Components(), "kubelets")
	for _, name := range []string{"scheduler", "kubelets"} {
		t.Require(server.of(name) > 0, "The control plane was started 2s ago, and no informer on the connection of %s has asked for a list.", name)
	}
	for _, name := range c.plane.Components() {
		c.kill(name)
	}
	time.Sleep(6 * time.Second)
	c.closing = true
	c.stop()
	<-c.ended
	server.ended(names)
}

// killedAsItStarts has the component of the scheduler wait three seconds for a handler and be killed
// meanwhile: at the first of the two handlers, and in its next life at the second. By then its
// informers may have stopped.
func killedAsItStarts(t *conform.T, s Subject) {
	st, until := &storm{t: t, calm: true}, &atomic.Int64{} // how many handlers it asks for until it waits
	ears := &hearing{t: t}
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: st.connect, runScheduler: ears.run, tune: func(p *ClusterParts) {
		p.SchedulerHears = ears.hears
		p.AsksScheduler = func() {
			if until.Add(-1) == 0 {
				time.Sleep(3 * time.Second)
			}
		}
	}})
	defer c.close()
	time.Sleep(time.Second)
	for _, handlers := range []int64{1, 2} {
		until.Store(handlers)
		t.Note("in its next life the scheduler is asked for two handlers, and takes 3s for number %d", handlers)
		c.kill("scheduler")
		time.Sleep(3 * time.Second) // it is up again within two
		c.kill("scheduler")
		time.Sleep(7 * time.Second)
	}
	c.deploy("a")
	c.converge("a", time.Minute)
	ears.listens(c)
}

// heardOut has OnError take a minute for an error of this component, and stops all while it does.
func heardOut(t *conform.T, s Subject, name string) {
	st, scheduler := &storm{t: t, calm: true}, &ender{}
	listener := &tedious{under: map[string]int{}} // its requests are the calls of OnError
	connect := func(component string, api API) API {
		through := st.connect(component, api)
		through.Events = newStormy(st, component, st.livesOf(component), kit.CoreEvents, api.Events)
		return through
	}
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, connect: connect, runScheduler: scheduler.run, tune: func(p *ClusterParts) {
		p.SweepEvery = 10 * time.Second
		p.OnError = func(component string, _ error) {
			if component == name && listener.begins(name) {
				time.Sleep(time.Minute)
				listener.ends(name)
			}
		}
	}})
	defer c.close()
	c.deploy("a")
	c.converge("a", time.Minute)
	listener.slows(true)
	if name == "scheduler" {
		t.Note("Run of the scheduler returns %v, and OnError takes a minute", errTired)
		scheduler.returns(errTired)
	} else {
		t.Note("requests of %s reach nobody, and OnError takes a minute", name)
		st.split(name, true)
	}
	if name == "deployment-controller" {
		c.deploy("b")
	}
	time.Sleep(15 * time.Second)
	t.Require(listener.of(name) > 0, "The component %s has had an error in the last 15s, and OnError, which takes a minute, was not called with its name.", name)
	c.closing = true
	c.stop()
	<-c.ended
	t.Require(listener.of(name) == 0, "The ctx of Start was done, and Start returned while a call of OnError with an error of %s was under way. It blocks until all of it has ended.", name)
}

// leavesNoHandler kills a kubelet again and again, and counts the handlers that informers of pods have.
func leavesNoHandler(t *conform.T, s Subject) {
	var handlers atomic.Int64
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, tune: func(p *ClusterParts) {
		p.Handlers = func(by int) { handlers.Add(int64(by)) }
	}})
	defer c.close()
	c.deploy("a")
	c.converge("a", time.Minute)
	before := handlers.Load()
	for range 10 {
		c.kill("kubelet/n1")
		time.Sleep(5 * time.Second)
	}
	c.converge("a", time.Minute)
	after := handlers.Load()
	t.Require(after <= before, "A kubelet was killed ten times, and the last time was five seconds ago. Before that the informers of pods had %s, and now they have %d. A kubelet that has ended leaves no handler at KubeletWatch.", conform.Count(int(before), "handler"), after)
}

// slowPods is a connection for pods that takes twenty seconds for each list.
type slowPods struct{ Resource[*kit.Pod] }

func (r slowPods) List(ctx context.Context, options kit.ListOptions) (kit.List[*kit.Pod], error) {
	time.Sleep(20 * time.Second)
	return r.Resource.List(ctx, options)
}

// leavesNoHandlerEarly kills a kubelet five times while KubeletWatch has not synced, and compares
// the handlers that informers of pods have later with those where nobody was killed.
func leavesNoHandlerEarly(t *conform.T, s Subject) {
	calm, killed := handlersAfter(t, s, 0), handlersAfter(t, s, 5)
	t.Require(killed <= calm, "A kubelet was killed five times before KubeletWatch had synced. When the deployment had its pods, the informers of pods had %s, and where nobody was killed they had %d. A kubelet that has ended leaves no handler at KubeletWatch.", conform.Count(killed, "handler"), calm)
}

// handlersAfter is how many handlers the informers of pods have after so many kills of a kubelet.
func handlersAfter(t *conform.T, s Subject, kills int) int {
	var handlers, looks atomic.Int64
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, tune: func(p *ClusterParts) {
		p.Handlers = func(by int) { handlers.Add(int64(by)) }
		p.Connect = func(component string, api API) API {
			switch component {
			case "kubelets":
				api.Pods = slowPods{api.Pods}
			case "node-lifecycle-controller":
				api.Pods = countedPods{api.Pods, &looks}
			}
			return api
		}
	}})
	defer c.close()
	c.deploy("a")
	for i := range 5 {
		time.Sleep(3 * time.Second)
		if i < kills {
			up := c.kill("kubelet/n1")
			t.Require(up, "KubeletWatch has not synced. The kubelet of n1 was started, or killed, 3s ago, and RestartAfter is 1s. Kill says that it was not up.")
		}
	}
	t.Require(len(c.pods()) == 2, "A deployment of 2 replicas was created 15s ago, and KubeletWatch has not synced yet, which takes 20s. No component waits for another, and there are %d pods.", len(c.pods()))
	time.Sleep(30 * time.Second)
	c.converge("a", time.Minute)
	t.Require(looks.Load() > 0, "The node-lifecycle-controller has never listed pods by its own connection, though the deployment has its pods. Each component has informers of its own, and only kubelets share one.")
	return int(handlers.Load())
}

// countedPods is a connection for pods that counts what an informer asks.
type countedPods struct {
	Resource[*kit.Pod]
	looks *atomic.Int64
}

func (r countedPods) List(ctx context.Context, options kit.ListOptions) (kit.List[*kit.Pod], error) {
	r.looks.Add(1)
	return r.Resource.List(ctx, options)
}

// watchedPods is the connection for pods of KubeletWatch.
type watchedPods struct{ Resource[*kit.Pod] }

// leavings are what a control plane may leave behind.
type leavings struct {
	runs atomic.Int64 // informers of pods whose Run has not returned

	mu     sync.Mutex               // guards queues
	queues []kit.Queue[kit.Request] // of controllers whose Start has failed
}

// tune has Start of the first three controllers fail, and KubeletWatch take longer than all others to end.
func (l *leavings) tune(p *ClusterParts) {
	p.StartController = func(queue kit.Queue[kit.Request], start func() error) error {
		if l.fails(queue) {
			return errTired
		}
		return start()
	}
	p.Connect = func(component string, api API) API {
		if component == "kubelets" {
			api.Pods = watchedPods{api.Pods}
		}
		return api
	}
	p.RunPods = func(source kit.ListerWatcher[*kit.Pod], run func()) {
		l.runs.Add(1)
		defer l.runs.Add(-1)
		run()
		if _, slow := source.(watchedPods); slow {
			time.Sleep(time.Second / 2)
		}
	}
}

func (l *leavings) fails(queue kit.Queue[kit.Request]) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.queues) == 3 {
		return false
	}
	l.queues = append(l.queues, queue)
	return true
}

// leavesNoQueue looks at the queues of controllers whose Start has failed, and then at the
// informers of pods, when Start has returned.
func leavesNoQueue(t *conform.T, s Subject) {
	var l leavings
	c := openCluster(t, s, setup{replicas: 2, surge: "1", unavailable: "1", nodes: 1, tune: l.tune})
	defer c.close()
	t.Note("Start of each of the first three controllers returns an error, and leaves its queue as it is")
	c.deploy("a")
	c.converge("a", time.Minute)
	l.noneOpen(t)
	c.closing = true
	c.stop()
	<-c.ended
	left := int(l.runs.Load())
	t.Require(left == 0, "The ctx of Start was done, and Start returned while Run of %s was under way. That of KubeletWatch returns half a second after its ctx is done. Start blocks until all of it has ended.", conform.Count(left, "informer"))
}

// noneOpen requires that the queues of those that have failed are shut down.
func (l *leavings) noneOpen(t *conform.T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, queue := range l.queues {
		t.Require(queue.ShuttingDown(), "Start of a controller returned an error, with which its component ended, and the component was started again. The queue of its first life is not shut down: ShuttingDown() is false. If Start of a controller returns an error, its component shuts the queue down: lab 19's Start may not have done it.")
	}
}
