// Command server is etcd and kube-apiserver, as upstream builds them, in one binary for one
// build: its first argument says which of the two to be, and the others are that one's flags.
//
// It ends when its standard input does, so a parent that is killed leaves nothing behind.
package main

import (
	"fmt"
	"io"
	"os"
	"syscall"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	if len(os.Args) < 2 {
		usage()
	}
	go endWithParent()
	os.Args = os.Args[1:]
	switch os.Args[0] {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(app.NewAPIServerCommand()))
	default:
		usage()
	}
}

func usage() {
	fmt.Fprintln(os.Stderr, "usage: server etcd|kube-apiserver FLAG…")
	os.Exit(2)
}

// endWithParent ends this process as SIGTERM does. Both programs handle that.
func endWithParent() {
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = syscall.Kill(os.Getpid(), syscall.SIGTERM)
}
