// Command witness is client-go beside a learner's client. It makes what a run needs at the
// cluster (a namespace for each case, one or two CustomResourceDefinitions), writes what the
// cases ask it to write, lists what there is in the end, and removes what it made when its
// standard input ends. What it did not make it does not touch.
//
// It answers on a loopback address that its first line of output names, to requests that
// carry its token. With a kubeconfig it is also the way of the learner's client to the
// cluster, as kubectl proxy is: what a kubeconfig may hold, client-go knows best.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// Config is read from the first line of standard input: no secret is in an argument.
type Config struct {
	Kubeconfig string `json:"kubeconfig"` // a file, or:
	Context    string `json:"context"`    // of the file; "" is its current one
	Server     string `json:"server"`     // https://127.0.0.1:…
	CA         string `json:"ca"`         // PEM
	Token      string `json:"token"`      // of a user who may do everything
	Crowd      string `json:"crowd"`      // the token of a user whom priority and fairness may refuse
	Etcd       string `json:"etcd"`       // where the server keeps its objects; "" if that is not ours
	Run        string `json:"run"`        // a word for the names of this run
	Own        bool   `json:"own"`        // the server was started for this run
	Databases  bool   `json:"databases"`  // the custom resource of lab 23 is needed, too
	Secret     string `json:"secret"`     // requests must carry it
}

// Ready is the line that is written once requests are answered.
type Ready struct {
	Address string `json:"address"` // http://127.0.0.1:…
	Version string `json:"version"` // of the server
	Group   string `json:"group"`   // of the custom resource
	Problem string `json:"problem"` // why there is no run; nothing else is set then
	Help    string `json:"help"`
}

func main() {
	inspect := flag.Bool("inspect", false, "say what the kubeconfig leads to, and change nothing")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *inspect); err != nil {
		problem := &problem{}
		if !errors.As(err, &problem) {
			problem.Message = err.Error()
		}
		say(Ready{Problem: problem.Message, Help: problem.Help})
		os.Exit(1)
	}
}

// problem is an error with the next step.
type problem struct{ Message, Help string }

func (p *problem) Error() string { return p.Message }

func say(v any) { _ = json.NewEncoder(os.Stdout).Encode(v) }

func run(ctx context.Context, inspect bool) error {
	in := json.NewDecoder(os.Stdin)
	var config Config
	if err := in.Decode(&config); err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() { // the parent is gone, or wants no more
		_, _ = io.Copy(io.Discard, io.MultiReader(in.Buffered(), os.Stdin))
		cancel()
	}()
	if inspect {
		about, err := about(ctx, config)
		if err == nil {
			say(about)
		}
		return err
	}
	w, err := newWitness(ctx, config)
	if err != nil {
		return err
	}
	defer w.clean()
	if err := w.prepare(ctx); err != nil {
		return err
	}
	return w.serve(ctx)
}

// serve answers until ctx is done.
func (w *witness) serve(ctx context.Context) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: w.handler(), ReadHeaderTimeout: 10 * time.Second}
	go func() {
		<-ctx.Done()
		_ = server.Close()
	}()
	say(Ready{Address: "http://" + listener.Addr().String(), Version: w.version, Group: w.group})
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
