// Package real runs the learner's client, informers and controllers against a real
// Kubernetes API server: one that it starts itself, or the cluster of a kubeconfig.
//
// Three processes take part beside the checker: the server with its etcd, the witness,
// which is client-go, and for each case a test process with the learner's code in it. None
// of them links another's code. docs/decisions says why.
package real

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/real/site"
)

// Options say which server a run is against. The zero value has the checker start one.
type Options struct {
	Kubeconfig string // of a cluster
	Context    string // of the kubeconfig; "" is its current one
	Known      bool   // the cluster is used although it looks like one that people depend on
	Databases  bool   // cases need the custom resource of lab 23
}

// A Problem says why there is no run, and what to do about it. It is nobody's bug.
type Problem struct {
	Message, Help string
	Usage         bool // the command makes no sense, as opposed to: the machine or the cluster failed
}

func (p *Problem) Error() string { return p.Message }

// Session is a server and its witness, ready for cases.
type Session struct {
	Site    site.Site
	Version string // of the server

	server  *Server // nil where it is not ours
	witness *process
	control *http.Server
}

// Open makes ready what the options ask for. Everything it writes is below dir, which the
// caller removes after Close. It blocks until the server has answered, and returns a
// *Problem where there is no server to be had.
func Open(ctx context.Context, b Builder, o Options, dir string) (_ *Session, err error) {
	tools, err := b.Tools(ctx, o.Kubeconfig == "")
	if err != nil {
		return nil, err
	}
	s := &Session{}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	config := witnessConfig{Run: strings.ToLower(rand.Text()[:6]), Secret: rand.Text(), Databases: o.Databases}
	if o.Kubeconfig != "" {
		config.Kubeconfig, config.Context = o.Kubeconfig, o.Context
		if err := acceptable(ctx, tools, config, o, dir); err != nil {
			return nil, err
		}
	} else {
		if s.server, err = StartServer(ctx, tools, dir); err != nil {
			return nil, noServer(ctx, err)
		}
		config.Own, config.Server, config.CA, config.Etcd = true, s.server.url, string(s.server.tls.cert), s.server.etcd
		config.Token, config.Crowd = s.server.users.admin, s.server.users.crowd
	}
	return s, s.witnessed(ctx, tools, config, dir)
}

// noServer makes a Problem of what kept a server from becoming ready, unless the user did.
func noServer(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return &Problem{
		Message: "the API server did not become ready: " + err.Error(),
		Help:    "It needs 500 MB of memory and three ports of loopback. A cluster of yours does as well: --kubeconfig FILE.",
	}
}

// witnessed starts the witness and says where everything is.
func (s *Session) witnessed(ctx context.Context, tools Tools, config witnessConfig, dir string) error {
	p, ready, err := startWitness(ctx, tools, config, dir)
	s.witness = p
	if err != nil {
		return err
	}
	s.Version = ready.Version
	s.Site = site.Site{Witness: ready.Address, Secret: config.Secret, Group: ready.Group, Own: config.Own}
	if s.server == nil {
		s.Site.Server, s.Site.Token = ready.Address+"/cluster", config.Secret
		return nil
	}
	s.Site.Server, s.Site.CA = s.server.url, string(s.server.tls.cert)
	s.Site.Token, s.Site.Crowd = s.server.users.learner, s.server.users.crowd
	s.Site.Control, err = s.serveControl()
	return err
}

// serveControl lets a case have the server killed and started again.
func (s *Session) serveControl() (address string, err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	secret := "/" + rand.Text()
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+secret+"/restart", func(w http.ResponseWriter, req *http.Request) {
		if err := s.server.Restart(req.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	})
	s.control = &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = s.control.Serve(listener) }()
	return "http://" + listener.Addr().String() + secret, nil
}

// Close removes what the run has made at a cluster, and ends what Open started. It blocks
// until that is done, for a minute if the cluster takes its time. It returns what could not be
// removed.
func (s *Session) Close() error {
	var left error
	if s.control != nil {
		_ = s.control.Close()
	}
	if s.witness != nil {
		before := s.witness.said()
		s.witness.stop(90 * time.Second)
		if s.server == nil {
			left = leftOver(strings.TrimPrefix(s.witness.said(), before))
		}
	}
	if s.server != nil {
		s.server.Stop()
	}
	return left
}

// leftOver makes an error of what the witness could not remove.
func leftOver(said string) error {
	var lines []string
	for line := range strings.Lines(said) {
		if strings.Contains(line, "could not be deleted") || strings.Contains(line, "still being deleted") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if len(lines) == 0 {
		return nil
	}
	return &Problem{Message: strings.Join(lines, "; "), Help: "kubectl get namespaces,customresourcedefinitions -l controllerbook.dev/run lists what is left of runs."}
}

// witnessConfig is what the witness reads first.
type witnessConfig struct {
	Kubeconfig string `json:"kubeconfig"`
	Context    string `json:"context"`
	Server     string `json:"server"`
	CA         string `json:"ca"`
	Token      string `json:"token"`
	Crowd      string `json:"crowd"`
	Etcd       string `json:"etcd"`
	Run        string `json:"run"`
	Own        bool   `json:"own"`
	Databases  bool   `json:"databases"`
	Secret     string `json:"secret"`
}

// witnessReady is what it answers.
type witnessReady struct {
	Address, Version, Group string
	Problem, Help           string
}

// startWitness starts the witness and reads its first line into ready.
func startWitness(ctx context.Context, tools Tools, config witnessConfig, dir string) (*process, witnessReady, error) {
	var ready witnessReady
	p, err := ask(ctx, tools, config, dir, &ready)
	if err == nil && ready.Problem != "" {
		err = &Problem{Message: ready.Problem, Help: ready.Help}
	}
	return p, ready, err
}

// ask starts the witness, tells it its configuration, and decodes its first line into answer.
func ask(ctx context.Context, tools Tools, config witnessConfig, dir string, answer any, args ...string) (*process, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	p, err := launch("witness", filepath.Join(dir, "witness.log"), append([]string{tools.witness}, args...), w)
	w.Close()
	if err != nil {
		return nil, err
	}
	if err := json.NewEncoder(p.in).Encode(config); err != nil {
		return p, fmt.Errorf("tell the witness its configuration: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = r.SetReadDeadline(time.Now()) })
	defer stop()
	err = json.NewDecoder(r).Decode(answer)
	switch {
	case ctx.Err() != nil:
		return p, ctx.Err()
	case errors.Is(err, io.EOF):
		return p, fmt.Errorf("the witness has ended; the last it said is:\n%s", p.last())
	}
	return p, err
}
