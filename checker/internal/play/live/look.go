package main

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/play"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// look takes a snapshot five times a second until ctx is done.
func (c *cluster) look(ctx context.Context) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		s := c.see(ctx)
		c.latest.Store(&s)
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (c *cluster) see(ctx context.Context) play.Snapshot {
	var s play.Snapshot
	d, exists := c.deployments.GetIndexer().GetByKey(namespace + "/" + name)
	if exists {
		s.App = app(d)
	}
	places := map[string][]play.Pod{}
	asked := map[string]int64{}
	for _, pod := range c.pods.GetIndexer().List() {
		if pod.Active() {
			s.App.Pods++
			asked[pod.Spec.NodeName] += pod.Spec.CPU
		}
		places[pod.Spec.NodeName] = append(places[pod.Spec.NodeName], drawn(pod, s.App.Image))
	}
	s.Waiting = len(places[""])
	c.mu.Lock()
	lost := slices.Clone(c.lost)
	c.mu.Unlock()
	for _, n := range c.nodes.GetIndexer().List() {
		pods := places[n.Name]
		slices.Sort(pods)
		slices.Reverse(pods)
		s.Nodes = append(s.Nodes, play.Node{
			Name: n.Name, Ready: n.Status.Ready, Lost: slices.Contains(lost, n.Name), Pods: pods,
			Used: int(100 * asked[n.Name] / max(1, n.Status.Allocatable.CPU)),
		})
	}
	slices.SortFunc(s.Nodes, func(a, b play.Node) int { return cmp.Compare(a.Name, b.Name) })
	s.Queues = c.queue.lengths()
	s.Events = c.events(ctx)
	if c.rental == nil {
		s.NoOperator = noOperator
	} else {
		c.rental.see(ctx, &s)
	}
	return s
}

func app(d *kit.Deployment) play.App {
	orDefault := func(n kit.IntOrPercent) string { return cmp.Or(string(n), "25%") }
	return play.App{
		Name: kit.Key(d), Image: d.Spec.Template.Spec.Image, Desired: d.Spec.Replicas,
		Updated: d.Status.UpdatedReplicas, Ready: d.Status.ReadyReplicas, Available: d.Status.AvailableReplicas,
		MaxSurge: orDefault(d.Spec.MaxSurge), MaxUnavailable: orDefault(d.Spec.MaxUnavailable),
	}
}

func drawn(pod *kit.Pod, image string) play.Pod {
	switch {
	case pod.Status.Phase == kit.PodFailed || pod.Status.Phase == kit.PodUnknown:
		return play.Broken
	case !pod.Status.Ready:
		return play.Starting
	case pod.Spec.Image != image:
		return play.Old
	}
	return play.Running
}

// shown is how many events are looked at; no screen has room for more.
const shown = 50

// events are the newest Event objects.
func (c *cluster) events(ctx context.Context) []play.Event {
	list, err := c.api.Events.List(ctx, kit.ListOptions{})
	if err != nil {
		return nil
	}
	slices.SortFunc(list.Items, func(a, b *kit.CoreEvent) int { return b.LastTimestamp.Compare(a.LastTimestamp) })
	var all []play.Event
	for _, e := range list.Items[:min(len(list.Items), shown)] {
		all = append(all, play.Event{
			Age: time.Since(e.LastTimestamp), Warning: e.Type == kit.EventWarning, Count: e.Count, Reason: e.Reason,
			About: e.InvolvedObject.Name, Message: e.Message,
		})
	}
	return all
}
