package serverstest

import (
	"net"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

// listenerGoesFirst serves a server that has a listener and an Addr at which nobody can listen.
func listenerGoesFirst(t *conform.T, s Subject) {
	api := fake.InMemory("api")
	v := serve(t, s, s.Plain(says("hello"), Settings{Name: "plain", Listener: api, Addr: "127.0.0.1:99999"}))
	asking := newClient(api.Door())
	defer asking.close()
	r := asking.get(t.Actor, "/")
	t.Require(r.err == nil && r.code == 200, "A server has a Listener, so its Addr, which is no address, is not looked at. It did not answer with 200, but: %v.", r)
	v.ends()
}

// portsAreFreed has Serve listen at two ports itself and fail at a third server. It looks several times,
// for another process may take such a port before we look: once, but hardly in most of the rounds.
func portsAreFreed(t *conform.T, s Subject) {
	const rounds = 5
	left := 0
	call := t.Call("Serve(ctx, a at a free port, bad, b at a free port), %d times", rounds)
	for range rounds {
		a, b := freeAddr(), freeAddr()
		if a == "" || b == "" {
			call.Returned("no port that is free can be listened at twice here")
			return
		}
		s.Serve(t.Context(),
			s.Plain(says("hello"), Settings{Name: "a", Addr: a}),
			s.Plain(says("hello"), Settings{Name: "bad", Addr: "127.0.0.1:99999"}), // no such port
			s.Plain(says("hello"), Settings{Name: "b", Addr: b}))
		if !isFree(a) || !isFree(b) {
			left++
		}
	}
	call.Returned("%d times a port was still in use", left)
	t.Require(left <= rounds/2, "The server bad could not listen, and when Serve had returned, a port that it had opened itself for another server was still in use, in %d of %d calls: Serve closes every listener.", left, rounds)
}

// freeAddr is an address at which one can listen again and again, or "".
func freeAddr() string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return ""
	}
	l.Close()
	if addr := l.Addr().String(); isFree(addr) {
		return addr
	}
	return ""
}

func isFree(addr string) bool {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return false
	}
	l.Close()
	return true
}
