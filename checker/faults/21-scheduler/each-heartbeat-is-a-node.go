//go:build ignore

// Mistake: Each update of a node appends it to the nodes whose turn comes. A cluster whose nodes have heartbeats seems larger from
//   one to the next, and the worker looks at more nodes than are enough, some of them again and again.
// Killed by: enough-is-enough
// Verdict: wrong-answer

package scheduler

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

func (c *cache) setNode(obj *kit.Node) bool {
	n := c.named(obj.Name)
	old := n.info.Node
	n.info = &NodeInfo{obj, n.info.Requested}
	c.order = append(c.order, n)
	return old == nil || old.UID != obj.UID || offers(old, obj)
}

func (c *cache) removeNode(name string) {
	n := c.nodes[name]
	if n == nil || n.info.Node == nil {
		return
	}
	c.order = slices.DeleteFunc(c.order, func(o *node) bool { return o == n })
	n.info = &NodeInfo{nil, n.info.Requested}
	c.drop(name)
}
