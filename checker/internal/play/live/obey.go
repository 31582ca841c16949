package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/play"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// Do hands the action to the goroutine that obeys. If that is stuck in the learner's
// code, further actions are lost: the screen goes on.
func (c *cluster) Do(action play.Action) {
	select {
	case c.actions <- action:
	default:
		c.say("The API server does not answer.")
	}
}

// obey creates the app, and carries actions out until ctx is done.
func (c *cluster) obey(ctx context.Context) {
	c.create(ctx)
	for {
		select {
		case <-ctx.Done():
			return
		case action := <-c.actions:
			c.say(c.carryOut(ctx, action))
		}
	}
}

func (c *cluster) create(ctx context.Context) {
	labels := map[string]string{"app": name}
	d := kit.Deployments.New()
	d.Name, d.Namespace = name, namespace
	d.Spec.Replicas = 5
	d.Spec.Selector.MatchLabels = labels
	d.Spec.Template.Labels = labels
	d.Spec.Template.Spec = kit.PodSpec{Image: "web:1", CPU: 500, Memory: 256 << 20}
	if _, err := c.api.Deployments.Create(ctx, d); err != nil {
		c.say("The API server refused the deployment: " + err.Error())
	}
}

func (c *cluster) carryOut(ctx context.Context, action play.Action) string {
	switch action {
	case play.More:
		return c.scale(ctx, 1)
	case play.Fewer:
		return c.scale(ctx, -1)
	case play.MoreByTen:
		return c.scale(ctx, 10)
	case play.FewerByTen:
		return c.scale(ctx, -10)
	case play.RollOut:
		return c.rollOut(ctx)
	case play.Undo:
		return c.undo(ctx)
	case play.KillNode:
		return c.killNode()
	case play.ReviveNode:
		return c.reviveNode()
	case play.CutWatches:
		return fmt.Sprintf("%d watches were cut: the reflectors have to resume where they were.", c.lines.cut())
	case play.KillController:
		return c.killController()
	}
	if c.rental == nil {
		return noOperator
	}
	return c.rental.carryOut(ctx, action)
}

// noOperator is what there is to say where lab 23 has not been begun.
const noOperator = "Lab 23, the operator, is still to be built (make lab-23): no databases yet."

// change writes the deployment, and tries again while somebody else writes it, too.
func (c *cluster) change(ctx context.Context, f func(spec *kit.DeploymentSpec) string) string {
	var err error
	for range 100 {
		var d *kit.Deployment
		if d, err = c.api.Deployments.Get(ctx, namespace, name); err != nil {
			break
		}
		did := f(&d.Spec)
		if _, err = c.api.Deployments.Update(ctx, d); err == nil {
			return did
		}
		if !kit.IsConflict(err) {
			break
		}
	}
	return refusal(err)
}

func refusal(err error) string { return "The API server says: " + err.Error() }

func (c *cluster) scale(ctx context.Context, by int) string {
	return c.change(ctx, func(spec *kit.DeploymentSpec) string {
		spec.Replicas = min(120, max(0, spec.Replicas+by))
		return fmt.Sprintf("Scaling to %d replicas.", spec.Replicas)
	})
}

func (c *cluster) rollOut(ctx context.Context) string {
	c.rollouts++
	return c.change(ctx, func(spec *kit.DeploymentSpec) string {
		c.before, spec.Template.Spec.Image = spec.Template.Spec.Image, fmt.Sprintf("web:%d", c.rollouts+1)
		return "Rolling out " + spec.Template.Spec.Image + "."
	})
}

func (c *cluster) undo(ctx context.Context) string {
	if c.before == "" {
		return "There is nothing to go back to."
	}
	before := c.before
	return c.change(ctx, func(spec *kit.DeploymentSpec) string {
		c.before, spec.Template.Spec.Image = spec.Template.Spec.Image, before
		return "Back to " + spec.Template.Spec.Image + ": its ReplicaSet is still there."
	})
}

// killNode switches off the first machine that is on.
func (c *cluster) killNode() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	lost := map[string]bool{}
	for _, n := range c.lost {
		lost[n] = true
	}
	for _, m := range machines() {
		if !lost[m.Name] && c.plane.Stop(kubelet+m.Name) {
			c.lost = append(c.lost, m.Name)
			return m.Name + " is switched off. Nothing reports it: its heartbeat just stops."
		}
	}
	return "All nodes are off."
}

func (c *cluster) reviveNode() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.lost) == 0 {
		return "All nodes are on."
	}
	n := c.lost[0]
	c.lost = c.lost[1:]
	c.plane.Resume(kubelet + n)
	return n + " is switched on again."
}

// kubelet begins the name of a kubelet among the components.
const kubelet = "kubelet/"

// killController ends a controller in the middle of its work: the one whose last end is
// longest ago. The operator is the first as soon as it has something to do.
func (c *cluster) killController() string {
	if c.rental != nil && c.rental.made > 0 && !slices.Contains(c.victims, theOperator) {
		c.victims = slices.Insert(c.victims, 0, theOperator)
	}
	victim := c.victims[0]
	c.victims = append(c.victims[1:], victim)
	kill := c.plane.Kill
	if victim == theOperator {
		kill = func(string) bool { return c.rental.killed() }
	}
	if !kill(victim) {
		return "The " + victim + " is down already."
	}
	return "The " + victim + " was killed in the middle of its work. It restarts in two seconds and remembers nothing."
}

// theOperator is its name among the controllers.
const theOperator = "operator"
