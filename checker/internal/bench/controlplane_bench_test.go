package bench

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/assembly"
	"github.com/controllerbook/controllerbook/labs/kit"
	controlplane "github.com/controllerbook/controllerbook/solutions/22-control-plane"
)

// sizes are the clusters that are measured. The first is what the growth of the others
// is held against.
var sizes = []struct{ pods, nodes int }{{1000, 100}, {5000, 500}, {10_000, 1000}}

// BenchmarkControlPlane is a control plane made of the solutions, from an empty API server
// to the moment at which all pods are available, of deployments of a hundred: in virtual
// time, in processor time and in memory that is in use then. The clocks of the bubble are
// virtual, so ns/op says nothing.
//
// growth is how much the processor time of a pod has grown against that of the smallest
// cluster, and n-log-n what it may have grown to. Two things grow with the size of the
// cluster, both by design and as upstream: the scheduler puts a pod to 100 of 100 nodes
// and to 420 of 1000 (NumFeasibleNodesToFind), and the collector's caches meet more memory.
// A third is kept out by the hundred: each look at a ReplicaSet counts all pods of it.
func BenchmarkControlPlane(b *testing.B) {
	perPod := math.NaN()
	converge(b, 1000, 100) // the first is slower than the others
	for i, size := range sizes {
		b.Run(fmt.Sprintf("%d-pods-%d-nodes", size.pods, size.nodes), func(b *testing.B) {
			var cost converged
			for b.Loop() {
				cost = converge(b, size.pods, size.nodes)
			}
			each := float64(cost.cpu) / float64(size.pods)
			if i == 0 {
				perPod = each
			}
			b.ReportMetric(cost.virtual.Seconds(), "virtual-s")
			b.ReportMetric(cost.cpu.Seconds(), "cpu-s")
			b.ReportMetric(float64(cost.heap)/float64(size.pods), "heap-B/pod")
			b.ReportMetric(each/perPod, "growth")
			b.ReportMetric(math.Log(float64(size.pods))/math.Log(float64(sizes[0].pods)), "n-log-n")
		})
	}
}

// converged is what it took.
type converged struct {
	virtual, cpu time.Duration
	heap         int64
}

// replicas of each deployment.
const replicas = 100

// converge runs a cluster in a bubble until all its pods are available. synctest wants a
// test, and a benchmark is none: the one that runs here lives as long as the call.
func converge(b *testing.B, pods, nodes int) (cost converged) {
	ok := testing.RunTests(func(string, string) (bool, error) { return true, nil }, []testing.InternalTest{{
		Name: "converge", F: func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { cost = cluster(t, pods, nodes) })
		},
	}})
	if !ok {
		b.Fatal("the cluster did not converge")
	}
	return cost
}

func cluster(t *testing.T, pods, nodes int) converged {
	heap, cpu, start := heapInUse(), cpuTime(t), time.Now()
	ready := &readyPods{}
	api := assembly.NewAPI(1<<14, assembly.Journals{Pods: []kit.Journal[*kit.Pod]{ready}})
	plane := controlplane.New(assembly.Parts(api), controlplane.Options{
		Machines: machines(nodes),
		Life:     func(*kit.Pod) controlplane.Life { return controlplane.Life{Start: time.Second, Ready: time.Second} },
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- plane.Start(ctx) }()
	for i := range pods / replicas {
		if _, err := api.Deployments.Create(ctx, app(i)); err != nil {
			t.Fatal(err)
		}
	}
	for ready.n.Load() < int64(pods) {
		if time.Since(start) > time.Hour {
			t.Fatalf("after an hour %d of %d pods are ready", ready.n.Load(), pods)
		}
		time.Sleep(100 * time.Millisecond)
	}
	cost := converged{virtual: time.Since(start), cpu: cpuTime(t) - cpu, heap: heapInUse() - heap}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	runtime.KeepAlive(api)
	return cost
}

func machines(n int) []controlplane.Machine {
	all := make([]controlplane.Machine, n)
	for i := range all {
		all[i] = controlplane.Machine{
			Name: fmt.Sprintf("node-%d", i), Allocatable: kit.Resources{CPU: 16_000, Memory: 1 << 36, Pods: 110},
		}
	}
	return all
}

func app(i int) *kit.Deployment {
	d := kit.Deployments.New()
	d.Namespace, d.Name = "bench", fmt.Sprintf("app-%d", i)
	d.Spec.Replicas = replicas
	d.Spec.Selector.MatchLabels = map[string]string{"app": d.Name}
	d.Spec.Template.Labels = map[string]string{"app": d.Name}
	d.Spec.Template.Spec = kit.PodSpec{Image: "a", CPU: 100, Memory: 1 << 28}
	return d
}

// readyPods counts pods as they become ready: nobody takes them away here.
type readyPods struct{ n atomic.Int64 }

func (r *readyPods) Commit(e kit.Event[*kit.Pod]) {
	if e.Type == kit.Modified && e.Object.Status.Ready {
		r.n.Add(1)
	}
}

// cpuTime is what this process has used, of user and system time.
func cpuTime(t *testing.T) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
