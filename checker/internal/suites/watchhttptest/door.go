package watchhttptest

import (
	"context"
	"errors"
	"net"
	"sync"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// door is a listener, and the way in from the client's side.
type door struct {
	net.Listener
	dial func(ctx context.Context) (net.Conn, error)
}

// loopback is a door on a real socket with a port of the system's choice, or one in
// memory where there is no loopback network, as in a sandbox.
func loopback(t *conform.T) door {
	l, err := listenLoopback()
	if err != nil {
		t.Note("no loopback network here (%v): the server listens in memory", err)
		return inMemory()
	}
	return door{l, func(ctx context.Context) (net.Conn, error) {
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
// durably, so it can live in a bubble, and no pipe holds a byte that was not read.
type memory struct {
	conns chan net.Conn
	shut  chan struct{}
	once  sync.Once
}

func inMemory() door {
	m := &memory{conns: make(chan net.Conn), shut: make(chan struct{})}
	return door{m, m.connect}
}

// Accept waits for the next connection.
func (m *memory) Accept() (net.Conn, error) {
	select {
	case c := <-m.conns:
		return c, nil
	case <-m.shut:
		return nil, net.ErrClosed
	}
}

// Close refuses all further connections.
func (m *memory) Close() error {
	m.once.Do(func() { close(m.shut) })
	return nil
}

// Addr is the listener's name.
func (m *memory) Addr() net.Addr { return address{} }

func (m *memory) connect(ctx context.Context) (net.Conn, error) {
	if over(m.shut) {
		return nil, errRefused
	}
	client, server := net.Pipe()
	select {
	case m.conns <- server:
		return client, nil
	case <-m.shut:
		return nil, errRefused
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var errRefused = errors.New("dial: connection refused")

type address struct{}

// Network names the kind of the address.
func (address) Network() string { return "memory" }

// String is the address itself.
func (address) String() string { return "memory" }
