package fake

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// Door is a listener, and the way in from the client's side.
type Door struct {
	net.Listener
	Name string
	Dial func(ctx context.Context) (net.Conn, error)
}

// Loopback is a door on a real socket with a port of the system's choice. Where
// there is no loopback network, as in a sandbox, it is one in memory.
func Loopback(t *conform.T, name string) Door {
	l, err := listenLoopback()
	if err != nil {
		t.Note("no loopback network here (%v): %s listens in memory", err, name)
		return InMemory(name).Door()
	}
	return Door{Listener: l, Name: name, Dial: func(ctx context.Context) (net.Conn, error) {
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

// Memory is a listener whose connections are pipes. Everything in it blocks
// durably, so it can live in a bubble.
type Memory struct {
	Name string
	// Slow is how long Close takes. It is for the case to set at first, in a bubble.
	Slow time.Duration

	conns  chan net.Conn
	broken chan error
	shut   chan struct{} // closed when Close is through
	once   sync.Once
	isShut atomic.Bool
	asked  atomic.Bool // whether Accept was ever called
}

// InMemory is a listener of that name.
func InMemory(name string) *Memory {
	return &Memory{
		Name:   name,
		conns:  make(chan net.Conn),
		broken: make(chan error, 1),
		shut:   make(chan struct{}),
	}
}

// Door is the listener with the way in.
func (m *Memory) Door() Door { return Door{Listener: m, Name: m.Name, Dial: m.connect} }

// Breaks makes Accept fail for good.
func (m *Memory) Breaks(err error) { m.broken <- err }

// Closed reports whether Close is through. It orders nobody but those who ask.
func (m *Memory) Closed() bool { return m.isShut.Load() }

// Shut is closed when Close is through.
func (m *Memory) Shut() <-chan struct{} { return m.shut }

// Asked reports whether Accept was ever called.
func (m *Memory) Asked() bool { return m.asked.Load() }

// Accept waits for the next connection.
func (m *Memory) Accept() (net.Conn, error) {
	m.asked.Store(true)
	if m.Closed() {
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
func (m *Memory) Close() error {
	m.once.Do(func() {
		time.Sleep(m.Slow) // zero outside bubbles
		m.isShut.Store(true)
		close(m.shut)
	})
	return nil
}

// Addr is the listener's name.
func (m *Memory) Addr() net.Addr { return &net.UnixAddr{Name: m.Name, Net: "memory"} }

// connect is what a dialler calls. It blocks while nobody accepts.
func (m *Memory) connect(ctx context.Context) (net.Conn, error) {
	if m.Closed() {
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

func (m *Memory) refused() error { return fmt.Errorf("dial %s: connection refused", m.Name) }
