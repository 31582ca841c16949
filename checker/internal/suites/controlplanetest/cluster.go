package controlplanetest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// setup is what a cluster is to be.
type setup struct {
	replicas           int
	surge, unavailable string
	lacking            int // what unavailable comes to
	nodes              int
	room               int64 // pods on a node; 0 is 10
	life               func(pod *kit.Pod) Life
	connect            func(component string, api API) API
	clock              func(node string) func() time.Time
	runScheduler       func(ctx context.Context, run func(ctx context.Context) error) error
	tune               func(p *ClusterParts) // sets what else there is; nil for nothing
}

// cluster is a control plane made of the learner's labs at work, with one deployment,
// ns/web, and a witness.
type cluster struct {
	t       *conform.T
	s       Subject
	setup   setup
	plane   ControlPlane
	api     API
	witness *witness
	stop    context.CancelFunc
	ended   chan struct{}
	closing bool // of the case's own goroutine
}

func openCluster(t *conform.T, s Subject, o setup) *cluster {
	if o.room == 0 {
		o.room = 10
	}
	if o.life == nil {
		o.life = func(*kit.Pod) Life { return Life{Start: time.Second, Ready: time.Second} }
	}
	surge, unavailable := o.fenceposts()
	c := &cluster{t: t, s: s, setup: o, witness: newWitness(t, o.replicas+surge), ended: make(chan struct{})}
	c.setup.lacking = unavailable
	parts := ClusterParts{
		Deployments: deploymentJournal{c.witness},
		ReplicaSets: setJournal{c.witness},
		Pods:        podJournal{c.witness},
		Nodes:       nodeJournal{c.witness},
		Connect:     o.connect, Machines: o.machines(), Life: o.life, RunScheduler: o.runScheduler,
	}
	if o.tune != nil {
		o.tune(&parts)
	}
	call := t.Call("New(…, %d nodes)", o.nodes)
	c.plane, c.api = s.NewControlPlane(parts)
	call.Returned("a control plane")
	ctx, cancel := t.WithCancel(t.Context(), "the ctx of Start")
	c.stop = cancel
	t.Go("control plane", func(a *conform.Actor) {
		defer close(c.ended)
		err := conform.Do(a, func() error { return c.plane.Start(ctx) }, "Start(ctx)")
		if err != nil {
			t.Errorf("Start returned %s, and nothing but its ctx has ended. It should have returned nil.", conform.Said(err))
		}
	})
	return c
}

// fenceposts are the numbers that the setup comes to: plain ones only.
func (o setup) fenceposts() (surge, unavailable int) {
	if _, err := fmt.Sscan(o.surge, &surge); err != nil {
		panic("controlplanetest: a setup says its surge in numbers") // our own tables
	}
	if _, err := fmt.Sscan(o.unavailable, &unavailable); err != nil {
		panic("controlplanetest: a setup says its unavailable in numbers")
	}
	return surge, unavailable
}

func (o setup) machines() []Machine {
	var machines []Machine
	for i := range o.nodes {
		m := Machine{Name: fmt.Sprintf("n%d", i+1), Allocatable: kit.Resources{CPU: 100_000, Memory: 1 << 40, Pods: o.room}}
		if o.clock != nil {
			m.Now = o.clock(m.Name)
		}
		machines = append(machines, m)
	}
	return machines
}

// kill calls Kill, and the history shows it.
func (c *cluster) kill(component string) (wasUp bool) {
	return conform.Do(c.t.Actor, func() bool { return c.plane.Kill(component) }, "Kill(%s)", component)
}

// halt calls Stop, and the history shows it.
func (c *cluster) halt(component string) (exists bool) {
	return conform.Do(c.t.Actor, func() bool { return c.plane.Stop(component) }, "Stop(%s)", component)
}

// resume calls Resume, and the history shows it.
func (c *cluster) resume(component string) (wasStopped bool) {
	return conform.Do(c.t.Actor, func() bool { return c.plane.Resume(component) }, "Resume(%s)", component)
}

// close ends the control plane and waits for its end.
func (c *cluster) close() {
	c.closing = true
	c.stop()
	<-c.ended
	c.sound()
	before, _, _, _ := c.witness.sum()
	time.Sleep(time.Minute)
	after, _, _, _ := c.witness.sum()
	c.t.Require(before == after, "Start has returned, and in the minute after that somebody wrote %d times.", after-before)
}

// sound requires that no invariant was broken so far.
func (c *cluster) sound() {
	select {
	case <-c.ended:
		if !c.closing {
			c.t.Fatalf("Start returned before its ctx was done.")
		}
	default:
	}
	if broken := c.witness.verdict(); broken != "" {
		c.t.Fatalf("%s", broken)
	}
}

// deploy creates ns/web, or gives it another image.
func (c *cluster) deploy(image string) {
	ctx := c.t.Context()
	c.t.Note("the user deploys image %s", image)
	for {
		d, err := c.api.Deployments.Get(ctx, web.Namespace, web.Name)
		if kit.IsNotFound(err) {
			_, err = c.api.Deployments.Create(ctx, newDeployment(c.setup.replicas, kit.IntOrPercent(c.setup.surge), kit.IntOrPercent(c.setup.unavailable), image))
		} else if err == nil {
			d.Spec.Template.Spec.Image = image
			_, err = c.api.Deployments.Update(ctx, d)
		}
		if err == nil {
			return
		}
		if !kit.IsConflict(err) {
			c.t.Fatalf("The API server refused the user's deployment: %v", err)
		}
	}
}

// converge requires that all is as the deployment asks for, with this image, before the
// time is up.
func (c *cluster) converge(image string, within time.Duration) {
	for end := time.Now().Add(within); ; time.Sleep(time.Second) {
		c.t.Wait()
		c.sound()
		missing := c.missing(image)
		if missing == "" {
			c.t.Note("all is as the deployment asks for, with image %s", image)
			return
		}
		if time.Now().After(end) {
			c.t.Note("the API server has %s", c.state())
			c.t.Fatalf("%v after the last change the cluster is not as the deployment asks for, with image %s: %s. The API server has %s.", within, image, missing, c.state())
		}
	}
}

// missing says what is not as the deployment asks for; "" for nothing.
func (c *cluster) missing(image string) string {
	d, err := c.api.Deployments.Get(c.t.Context(), web.Namespace, web.Name)
	if err != nil {
		return err.Error()
	}
	ready, others := 0, 0
	for _, p := range c.pods() {
		switch {
		case !p.Active():
		case p.Spec.Image != image:
			others++
		case p.Status.Ready:
			ready++
		}
	}
	n := d.Spec.Replicas
	if ready != n || others != 0 {
		return fmt.Sprintf("%d of %d pods are ready, and %d old ones are left", ready, n, others)
	}
	want := kit.DeploymentStatus{Replicas: n, UpdatedReplicas: n, ReadyReplicas: n, AvailableReplicas: n, ObservedGeneration: d.Generation}
	if d.Status != want {
		return "the status of the deployment is wrong: " + conform.Differ(want, d.Status)
	}
	return c.orphans()
}

// orphans names objects whose controller is gone.
func (c *cluster) orphans() string {
	ctx := c.t.Context()
	d, err := c.api.Deployments.Get(ctx, web.Namespace, web.Name)
	deployment := ""
	if err == nil {
		deployment = d.UID
	}
	sets, err := c.api.ReplicaSets.List(ctx, kit.ListOptions{})
	if err != nil {
		return err.Error()
	}
	known := map[string]bool{}
	for _, rs := range sets.Items {
		known[rs.UID] = true
		if owner := rs.ControllerOf(); owner == nil || owner.UID != deployment {
			return "ReplicaSet " + kit.Key(rs) + " is an orphan: its deployment does not exist"
		}
	}
	for _, p := range c.pods() {
		if owner := p.ControllerOf(); owner == nil || !known[owner.UID] {
			return "pod " + kit.Key(p) + " is an orphan: its ReplicaSet does not exist"
		}
	}
	return ""
}

func (c *cluster) pods() []*kit.Pod {
	list, err := c.api.Pods.List(c.t.Context(), kit.ListOptions{})
	c.t.Require(err == nil, "The API server refused to list its pods: %v.", err)
	return list.Items
}

// uids are those of all active pods.
func (c *cluster) uids() []string {
	var uids []string
	for _, p := range c.pods() {
		if p.Active() {
			uids = append(uids, p.UID)
		}
	}
	return uids
}

// state is what stands at the API server, in a few words.
func (c *cluster) state() string {
	var words []string
	sets, _ := c.api.ReplicaSets.List(c.t.Context(), kit.ListOptions{})
	for _, rs := range sets.Items {
		words = append(words, "ReplicaSet "+showSet(rs))
	}
	pods := map[string]int{}
	for _, p := range c.pods() {
		pods[strings.TrimPrefix(showPod(p), fmt.Sprint(conform.Show(p)))]++
	}
	for _, what := range slices.Sorted(maps.Keys(pods)) {
		words = append(words, fmt.Sprintf("%d × pod %s", pods[what], what))
	}
	return conform.Listed(words)
}

// rest requires that a cluster in which nothing happens is one in which nobody writes:
// heartbeats and events aside.
func (c *cluster) rest() {
	time.Sleep(time.Minute)
	before, _, _, _ := c.witness.sum()
	time.Sleep(10 * time.Minute)
	after, _, _, _ := c.witness.sum()
	c.t.Require(before == after, "The cluster is as the deployment asks for and nothing happens. In ten minutes pods, ReplicaSets or deployments were written %d times.", after-before)
	c.sound()
}

// once remembers the first UID that it was given.
type once struct {
	mu  sync.Mutex // guards uid
	uid string
}

// take reports whether uid is the first, and is so again for the same one.
func (o *once) take(uid string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.uid == "" {
		o.uid = uid
	}
	return o.uid == uid
}

func (o *once) taken() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.uid
}
