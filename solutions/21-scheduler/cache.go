package scheduler

import (
	"maps"
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// cache is what is known of nodes, and which pod counts on which. The Scheduler's mu
// guards it.
//
// The sums are kept up to date with each pod that comes and goes. To add up the pods of a
// node whenever somebody looks would make each attempt as expensive as there are pods.
//
// A NodeInfo in here is never written to: each change makes another. So a worker may look
// at the ones it was given without the lock, for as long as it likes. And if a node still
// has the very same one when the worker comes back, nothing has changed. That is a
// compare-and-swap, of a node instead of a word; it is also how the API server's
// resource versions work.
type cache struct {
	nodes map[string]*node
	order []*node // the nodes that there are, pods or no pods
	next  int     // where in order the next attempt begins
	pods  map[string]placement
}

// node is a node, or only its name: pods may be known before the node they run on.
type node struct {
	info  *NodeInfo // its Node is nil while only pods are known
	index int       // in order; counts only if Node is not nil
}

// placement is a pod that counts on a node.
type placement struct {
	node     string
	requests kit.Resources
	assumed  bool // we have decided so, and nobody has confirmed it
}

func newCache() cache {
	return cache{nodes: map[string]*node{}, pods: map[string]placement{}}
}

// requests is what a pod takes from a node.
func requests(pod *kit.Pod) kit.Resources {
	return kit.Resources{CPU: pod.Spec.CPU, Memory: pod.Spec.Memory, Pods: 1}
}

func plus(a, b kit.Resources) kit.Resources {
	return kit.Resources{CPU: a.CPU + b.CPU, Memory: a.Memory + b.Memory, Pods: a.Pods + b.Pods}
}

func minus(a, b kit.Resources) kit.Resources {
	return kit.Resources{CPU: a.CPU - b.CPU, Memory: a.Memory - b.Memory, Pods: a.Pods - b.Pods}
}

// snapshot appends all nodes to buffer, beginning with the one whose turn it is.
func (c *cache) snapshot(buffer []*NodeInfo) []*NodeInfo {
	for i := range c.order {
		buffer = append(buffer, c.order[(c.next+i)%len(c.order)].info)
	}
	return buffer
}

// advance says that a worker has looked at so many of a snapshot.
func (c *cache) advance(looked int) {
	if len(c.order) > 0 {
		c.next = (c.next + looked) % len(c.order)
	}
}

// get is the node of that name as it is now, or nil.
func (c *cache) get(name string) *NodeInfo {
	if n := c.nodes[name]; n != nil && n.info.Node != nil {
		return n.info
	}
	return nil
}

// setNode takes note of a node and reports whether that may help a pod.
func (c *cache) setNode(obj *kit.Node) bool {
	n := c.named(obj.Name)
	old := n.info.Node
	n.info = &NodeInfo{obj, n.info.Requested}
	if old == nil {
		n.index = len(c.order)
		c.order = append(c.order, n)
	}
	return old == nil || old.UID != obj.UID || offers(old, obj)
}

// offers reports whether something has changed that decides who may run on a node.
// Everything else of it changes every ten seconds, with each heartbeat.
func offers(old, obj *kit.Node) bool {
	return old.Status.Allocatable != obj.Status.Allocatable || old.Status.Ready != obj.Status.Ready ||
		old.Spec.Unschedulable != obj.Spec.Unschedulable ||
		!slices.Equal(old.Spec.Taints, obj.Spec.Taints) || !maps.Equal(old.Labels, obj.Labels)
}

// removeNode forgets a node, and not its pods.
func (c *cache) removeNode(name string) {
	n := c.nodes[name]
	if n == nil || n.info.Node == nil {
		return
	}
	last := c.order[len(c.order)-1]
	c.order[n.index], last.index = last, n.index
	c.order[len(c.order)-1] = nil
	c.order = c.order[:len(c.order)-1]
	n.info = &NodeInfo{nil, n.info.Requested}
	c.drop(name)
}

// has reports whether a pod counts on a node.
func (c *cache) has(uid string) bool {
	_, ok := c.pods[uid]
	return ok
}

// assumed reports whether a pod counts on a node only because we have decided so.
func (c *cache) assumed(uid string) bool { return c.pods[uid].assumed }

// assume makes pod count on a node.
func (c *cache) assume(pod *kit.Pod, node string) {
	c.add(pod.UID, placement{node, requests(pod), true})
}

// place makes pod count where it says that it is. It reports whether it has stopped
// counting on another node.
func (c *cache) place(pod *kit.Pod) (freed bool) {
	old, known := c.pods[pod.UID]
	p := placement{pod.Spec.NodeName, requests(pod), false}
	c.remove(pod.UID)
	c.add(pod.UID, p)
	return known && old.node != p.node
}

func (c *cache) add(uid string, p placement) {
	c.pods[uid] = p
	n := c.named(p.node)
	n.info = &NodeInfo{n.info.Node, plus(n.info.Requested, p.requests)}
}

// remove makes a pod count nowhere. It reports whether it has counted anywhere.
func (c *cache) remove(uid string) bool {
	p, ok := c.pods[uid]
	if !ok {
		return false
	}
	delete(c.pods, uid)
	n := c.named(p.node)
	n.info = &NodeInfo{n.info.Node, minus(n.info.Requested, p.requests)}
	c.drop(p.node)
	return true
}

// named is the node of that name, which need not have been seen yet.
func (c *cache) named(name string) *node {
	n := c.nodes[name]
	if n == nil {
		n = &node{info: &NodeInfo{}}
		c.nodes[name] = n
	}
	return n
}

// drop forgets a name to which neither a node nor a pod belongs.
func (c *cache) drop(name string) {
	if n := c.nodes[name]; n.info.Node == nil && n.info.Requested.Pods == 0 {
		delete(c.nodes, name)
	}
}
