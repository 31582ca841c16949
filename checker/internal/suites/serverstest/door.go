package serverstest

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// door is a listener, and the way in from the client's side.
type door struct {
	net.Listener
	name string
	dial func(ctx context.Context) (net.Conn, error)
}

// loopback is a door on a real socket with a port of the system's choice. Where
// there is no loopback network, as in a sandbox, it is one in memory.
func loopback(t *conform.T, name string) door {
	l, err := listenLoopback()
	if err != nil {
		t.Note("no loopback network here (%v): %s listens in memory", err, name)
		return inMemory(name).door()
	}
	return door{Listener: l, name: name, dial: func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", l.Addr().String())
	}}
}

// listenLoopback listens and tries the way in once: in a network namespace whose
// loopback is down one can listen, and nobody can connect.
func listenLoopback() (net.Listener, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		l.Close()
		return nil, err
	}
	defer client.Close()
	server, err := l.Accept()
	if err != nil {
		l.Close()
		return nil, err
	}
	server.Close()
	return l, nil
}

// memory is a listener whose connections are pipes. Everything in it blocks
// durably, so it can live in a bubble.
type memory struct {
	name   string
	conns  chan net.Conn
	broken chan error
	shut   chan struct{} // closed when Close is through
	once   sync.Once
	slow   time.Duration // how long Close takes
	isShut atomic.Bool
	asked  atomic.Bool // whether Accept was ever called
}

func inMemory(name string) *memory {
	return &memory{
		name:   name,
		conns:  make(chan net.Conn),
		broken: make(chan error, 1),
		shut:   make(chan struct{}),
	}
}

func (m *memory) door() door { return door{Listener: m, name: m.name, dial: m.connect} }

// breaks makes Accept fail for good.
func (m *memory) breaks(err error) { m.broken <- err }

// closed reports whether Close is through. It orders nobody but those who ask.
func (m *memory) closed() bool { return m.isShut.Load() }

// Accept waits for the next connection.
func (m *memory) Accept() (net.Conn, error) {
	m.asked.Store(true)
	if m.closed() {
		return nil, net.ErrClosed
	}
	select {
	case c := <-m.conns:
		return c, nil
	case err := <-m.broken:
		return nil, err
	case <-m.shut:
		return nil, net.ErrClosed
	}
}

// Close refuses all further connections.
func (m *memory) Close() error {
	m.once.Do(func() {
		time.Sleep(m.slow) // zero outside bubbles
		m.isShut.Store(true)
		close(m.shut)
	})
	return nil
}

// Addr is the listener's name.
func (m *memory) Addr() net.Addr { return address(m.name) }

// connect is what a dialler calls. It blocks while nobody accepts.
func (m *memory) connect(ctx context.Context) (net.Conn, error) {
	if m.closed() {
		return nil, m.refused()
	}
	client, server := net.Pipe()
	select {
	case m.conns <- server:
		return client, nil
	case <-m.shut:
		return nil, m.refused()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (m *memory) refused() error { return fmt.Errorf("dial %s: connection refused", m.name) }

type address string

// Network names the kind of the address.
func (a address) Network() string { return "memory" }

// String is the address itself.
func (a address) String() string { return string(a) }
