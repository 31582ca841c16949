package real

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// patience is how long a server may take to be ready on a busy machine.
const patience = 2 * time.Minute

// users of the server: each has a token.
type users struct{ admin, learner, crowd string }

// Server is an API server of this run's own, with its etcd, on loopback.
type Server struct {
	tools Tools
	dir   string // keys, data and logs: removed by the caller
	users users
	tls   pair
	url   string
	etcd  string

	etcdProcess *process
	apiserver   *process
}

// StartServer starts etcd and kube-apiserver with everything they keep in dir, and returns
// when the server says that it is ready.
func StartServer(ctx context.Context, tools Tools, dir string) (*Server, error) {
	ports, err := freePorts(3)
	if err != nil {
		return nil, err
	}
	s := &Server{
		tools: tools, dir: dir,
		users: users{admin: rand.Text(), learner: rand.Text(), crowd: rand.Text()},
		etcd:  fmt.Sprintf("http://127.0.0.1:%d", ports[0]),
		url:   fmt.Sprintf("https://127.0.0.1:%d", ports[2]),
	}
	if s.tls, err = certificate(time.Now()); err != nil {
		return nil, fmt.Errorf("make a certificate: %w", err)
	}
	if err := s.write(); err != nil {
		return nil, fmt.Errorf("write the server's files: %w", err)
	}
	if s.etcdProcess, err = s.launchEtcd(ports[1]); err != nil {
		return nil, err
	}
	if err := s.startAPI(ctx); err != nil {
		s.Stop()
		return nil, err
	}
	return s, nil
}

func (s *Server) file(name string) string { return filepath.Join(s.dir, name) }

// write writes the certificate, the key of service accounts, which the server insists on,
// and the tokens.
func (s *Server) write() error {
	tokens := fmt.Sprintf("%s,admin,1,\"system:masters\"\n%s,learner,2\n%s,crowd,3\n", s.users.admin, s.users.learner, s.users.crowd)
	for name, text := range map[string][]byte{"tls.crt": s.tls.cert, "tls.key": s.tls.key, "tokens.csv": []byte(tokens)} {
		if err := os.WriteFile(s.file(name), text, 0o600); err != nil {
			return err
		}
	}
	return nil
}

// launchEtcd starts etcd. It does not wait for the disk: nothing of it outlives the run.
func (s *Server) launchEtcd(peers int) (*process, error) {
	peer := fmt.Sprintf("http://127.0.0.1:%d", peers)
	return launch("etcd", s.file("etcd.log"), append(s.tools.etcd,
		"--name=controllerbook", "--data-dir="+s.file("etcd"), "--unsafe-no-fsync", "--log-level=warn",
		"--listen-client-urls="+s.etcd, "--advertise-client-urls="+s.etcd,
		"--listen-peer-urls="+peer, "--initial-advertise-peer-urls="+peer, "--initial-cluster=controllerbook="+peer,
	), nil)
}

// startAPI starts kube-apiserver, and returns when it is ready. Secrets have no watch cache:
// a watch of them is a watch of etcd, which forgets what is compacted at once. Admission
// asks for a service account, which no controller makes here. There is nothing to
// aggregate, and no compaction but that which a case asks for.
func (s *Server) startAPI(ctx context.Context) error {
	_, port, err := net.SplitHostPort(strings.TrimPrefix(s.url, "https://"))
	if err != nil {
		return err
	}
	s.apiserver, err = launch("kube-apiserver", s.file("apiserver.log"), append(s.tools.apiserver,
		"--bind-address=127.0.0.1", "--advertise-address=127.0.0.1", "--secure-port="+port,
		"--tls-cert-file="+s.file("tls.crt"), "--tls-private-key-file="+s.file("tls.key"), "--cert-dir="+s.dir,
		"--token-auth-file="+s.file("tokens.csv"), "--authorization-mode=RBAC", "--anonymous-auth=false",
		"--service-account-issuer=https://127.0.0.1", "--service-account-key-file="+s.file("tls.crt"), "--service-account-signing-key-file="+s.file("tls.key"),
		"--service-cluster-ip-range=10.0.0.0/24", "--endpoint-reconciler-type=none",
		"--disable-admission-plugins=ServiceAccount",
		"--etcd-servers="+s.etcd, "--etcd-compaction-interval=0", "--watch-cache-sizes=secrets#0",
		"--v=0",
	), nil)
	if err != nil {
		return err
	}
	return s.ready(ctx)
}

// ready waits until the server is.
func (s *Server) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	client := s.client()
	defer client.CloseIdleConnections()
	var last error
	for {
		if last = s.healthy(ctx, client); last == nil {
			return nil
		}
		for _, p := range []*process{s.etcdProcess, s.apiserver} {
			if p.ended() {
				return fmt.Errorf("%s: %w; the last it said is:\n%s", p.name, errEnded, p.last())
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the API server is not ready after %v: %w; the last it said is:\n%s", patience, errors.Join(ctx.Err(), last), s.apiserver.last())
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (s *Server) client() *http.Client {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.tls.cert)
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}, Timeout: 5 * time.Second}
}

func (s *Server) healthy(ctx context.Context, client *http.Client) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/readyz", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.users.admin)
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(res.Body, 1<<16))
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("readyz: %s: %s", res.Status, strings.TrimSpace(string(text)))
	}
	return nil
}

// Restart kills the API server, as a machine that loses its power does, and starts it again
// over the same etcd. It returns when the server is ready.
func (s *Server) Restart(ctx context.Context) error {
	s.apiserver.kill()
	return s.startAPI(ctx)
}

// Stop ends the server. It may be called when only a part of it was started.
func (s *Server) Stop() {
	if s.apiserver != nil {
		s.apiserver.kill() // it would wait a minute for its watches, and nothing of it is kept
	}
	if s.etcdProcess != nil {
		s.etcdProcess.kill()
	}
}

// freePorts are ports of loopback that nobody uses at this moment.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("find a free port: %w", err)
		}
		defer l.Close() // when all are found, so that they differ
		ports = append(ports, l.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
