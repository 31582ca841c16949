package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/tools/clientcmd"
)

// About is what a kubeconfig leads to, for the checker to judge before it makes anything.
type About struct {
	Context    string   `json:"context"`
	Cluster    string   `json:"cluster"`
	Server     string   `json:"server"`
	Version    string   `json:"version"`
	Nodes      int      `json:"nodes"` // -1 if this kubeconfig may not see them
	Namespaces []string `json:"namespaces"`
}

// about looks and changes nothing.
func about(ctx context.Context, config Config) (About, error) {
	w, err := newWitness(ctx, config)
	if err != nil {
		return About{}, err
	}
	a := About{Server: w.rest.Host, Version: w.version, Nodes: -1, Context: config.Context}
	rules := &clientcmd.ClientConfigLoadingRules{ExplicitPath: config.Kubeconfig}
	if raw, err := rules.Load(); err == nil {
		if a.Context == "" {
			a.Context = raw.CurrentContext
		}
		if c := raw.Contexts[a.Context]; c != nil {
			a.Cluster = c.Cluster
		}
	}
	if err := w.allowed(ctx); err != nil {
		return a, err
	}
	if nodes, err := w.clients.CoreV1().Nodes().List(ctx, metav1.ListOptions{}); err == nil {
		a.Nodes = len(nodes.Items)
	}
	if all, err := w.clients.CoreV1().Namespaces().List(ctx, metav1.ListOptions{}); err == nil {
		for _, ns := range all.Items {
			a.Namespaces = append(a.Namespaces, ns.Name)
		}
	}
	return a, nil
}
