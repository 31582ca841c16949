package bench

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/assembly/parts"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// BenchmarkScheduler is upstream's scheduler_perf workload SchedulingBasic, 5000Nodes_10000Pods,
// and the same with 1000 nodes: nodes of 4 CPUs with 1000 pods on them, and then 10 000
// pods of a tenth of a CPU, from the creation of the first to the binding of the last. The API
// server is that of labs 07 and 08, in this process, and the scheduler hears of it
// through informers of lab 17, so that a pod costs two writes and two events, and no
// network, encoding or disk.
func BenchmarkScheduler(b *testing.B) {
	const before, measured = 1000, 10_000
	for _, nodes := range []int{1000, 5000} {
		b.Run(fmt.Sprintf("nodes=%d", nodes), func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				s := startScheduling(b, nodes)
				s.schedule(b, "before", before)
				b.StartTimer()
				s.schedule(b, "measured", measured)
				b.StopTimer()
				s.stop()
				b.StartTimer()
			}
			b.ReportMetric(float64(measured*b.N)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}

// scheduling is a scheduler under way.
type scheduling struct {
	pods  parts.Resource[*kit.Pod]
	bound *boundPods
	stop  func() // returns when scheduler and informers have
}

// startScheduling starts a scheduler that knows so many nodes.
func startScheduling(b *testing.B, nodes int) scheduling {
	bound := &boundPods{}
	pods, machines := parts.NewPods(1<<15, []kit.Journal[*kit.Pod]{bound}), parts.NewNodes(1<<15, nil)
	ctx, cancel := context.WithCancel(context.Background())
	for i := range nodes {
		n := kit.Nodes.New()
		n.Name = fmt.Sprintf("node-%d", i)
		n.Status = kit.NodeStatus{Allocatable: kit.Resources{CPU: 4000, Memory: 32 << 30, Pods: 110}, Ready: true}
		if _, err := machines.Create(ctx, n); err != nil {
			b.Fatal(err)
		}
	}
	s := parts.NewScheduler(parts.SchedulerOptions{Pods: pods})
	var running sync.WaitGroup
	follow(ctx, &running, parts.Nodes.NewInformer(machines, nil), s.NodeHandler())
	follow(ctx, &running, parts.Pods.NewInformer(pods, nil), s.PodHandler())
	running.Go(func() { _ = s.Run(ctx) })
	return scheduling{pods, bound, func() { cancel(); running.Wait() }}
}

// follow runs an informer until ctx is done. It returns when handler has heard of all
// that is there.
func follow[T kit.Object](ctx context.Context, running *sync.WaitGroup, i kit.SharedInformer[T], handler kit.ResourceEventHandler[T]) {
	registration, err := i.AddEventHandler(handler)
	if err != nil {
		panic(err) // it has not been stopped
	}
	running.Go(func() { i.Run(ctx) })
	for !registration.HasSynced() {
		time.Sleep(time.Millisecond)
	}
}

// schedule creates n pods and returns when each has a node.
func (s scheduling) schedule(b *testing.B, app string, n int) {
	s.bound.Add(n)
	for i := range n {
		p := newPod("default", fmt.Sprintf("%s-%d", app, i))
		p.Spec.CPU, p.Spec.Memory = 100, 500<<20
		if _, err := s.pods.Create(context.Background(), p); err != nil {
			b.Fatal(err)
		}
	}
	s.bound.Wait()
}

// boundPods waits for pods to be bound. A pod is written to only once here.
type boundPods struct{ sync.WaitGroup }

func (w *boundPods) Commit(e kit.Event[*kit.Pod]) {
	if e.Type == kit.Modified && e.Object.Spec.NodeName != "" {
		w.Done()
	}
}
