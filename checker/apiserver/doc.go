// Package apiserver holds the programs behind checker real that need Kubernetes' own code:
// server is etcd and kube-apiserver in one binary, and witness is client-go, which says what
// the server really holds. They are a module of their own, so that nobody who writes labs
// has to fetch or build Kubernetes.
package apiserver
