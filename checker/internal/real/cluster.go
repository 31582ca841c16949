package real

import (
	"context"
	"fmt"
	"regexp"
	"time"
)

// about is what a kubeconfig leads to.
type about struct {
	Context, Cluster, Server, Version string
	Nodes                             int
	Namespaces                        []string
	Problem, Help                     string
}

// acceptable returns a *Problem unless the cluster of a kubeconfig may be used: it answers, the
// kubeconfig has the rights, and it does not look like a cluster that people depend on, or
// the user knows it.
func acceptable(ctx context.Context, tools Tools, config witnessConfig, o Options, dir string) error {
	var a about
	p, err := ask(ctx, tools, config, dir, &a, "-inspect")
	if p != nil {
		p.stop(5 * time.Second)
	}
	switch {
	case err != nil:
		return err
	case a.Problem != "":
		return &Problem{Message: a.Problem, Help: a.Help}
	}
	if why := a.depended(); why != "" && !o.Known {
		return &Problem{
			Message: fmt.Sprintf("the cluster %q looks like one that people depend on: %s", a.name(), why),
			Help:    "Use kind, minikube or k3d, or leave out --kubeconfig. If you know what you do: --i-know.",
			Usage:   true,
		}
	}
	return nil
}

func (a about) name() string {
	if a.Context != "" {
		return a.Context
	}
	return a.Server
}

var (
	// playground is how the tools that make clusters for one person name their contexts.
	playground = regexp.MustCompile(`^(kind-|k3d-|minikube$|docker-desktop$|rancher-desktop$|colima|orbstack$|microk8s$)`)
	production = regexp.MustCompile(`(?i)(^|[^a-z])(prod|prd|production|live)([^a-z]|$)`)
	usual      = regexp.MustCompile(`^(default|kube-.*|local-path-storage|controllerbook-.*)$`)
)

// depended says why a cluster looks like one that people depend on, "" if it does not. A
// name that says production is enough. A context that is named as kind and its like name
// theirs is a playground. Of any other cluster, nobody depends on one with at most one node
// and without namespaces of anybody's. An address on this machine says nothing: tunnels and
// proxies have one, whatever is at their other end.
func (a about) depended() string {
	for _, name := range []string{a.Context, a.Cluster, a.Server} {
		if production.MatchString(name) {
			return fmt.Sprintf("it is called %q", name)
		}
	}
	if playground.MatchString(a.Context) {
		return ""
	}
	if a.Nodes > 1 {
		return fmt.Sprintf("it has %d nodes", a.Nodes)
	}
	for _, ns := range a.Namespaces {
		if !usual.MatchString(ns) {
			return fmt.Sprintf("somebody works in its namespace %q", ns)
		}
	}
	if a.Nodes < 0 {
		return "this kubeconfig may not see its nodes, so nobody knows how many there are"
	}
	return ""
}
