package serverstest

import (
	"context"
	"net"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
	"github.com/controllerbook/controllerbook/checker/internal/conform/probe"
)

// listenerGoesFirst serves a server that has a listener and an Addr at which nobody can listen.
func listenerGoesFirst(t *conform.T, s Subject) {
	api := fake.InMemory("api")
	v := serve(t, s, s.Plain(says("hello"), Settings{Name: "plain", Listener: api, Addr: "127.0.0.1:99999"}))
	asking := newClient(api.Door())
	defer asking.close()
	r := asking.ask(t, "client", "/")
	select {
	case <-r.done:
	case <-v.done:
		t.Fatalf("A server has a Listener, so its Addr, 127.0.0.1:99999, which is no address, is not looked at. Serve returned %s.", conform.Said(v.err))
	}
	t.Require(r.err == nil && r.code == 200, "A server has a Listener, so its Addr, which is no address, is not looked at. It did not answer with 200, but: %v.", r.reply)
	v.ends()
}

// portsAreFreed has Serve listen at two ports itself and fail at a third server. It looks several times,
// for another process may take such a port before we look: once, but hardly in most of the rounds.
func portsAreFreed(t *conform.T, s Subject) {
	const rounds = 5
	left := 0
	call := t.Call("Serve(ctx, a at a free port, bad, b at a free port), %d times", rounds)
	for range rounds {
		a, b := freeAddr("127.0.0.1"), freeAddr("127.0.0.1")
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

// closesTheRest has one server fail to listen while the first listener that Serve closes for it returns an error.
// No shutdown begins, so that nobody waits for a Delay.
func closesTheRest(t *conform.T, s Subject) {
	a, b := fake.InMemory("a"), fake.InMemory("b")
	v := serve(t, s,
		s.Plain(says("hello"), Settings{Name: "a", Listener: unwilling{a}, Delay: time.Hour}),
		s.Plain(says("hello"), Settings{Name: "bad", Addr: "127.0.0.1:99999", Delay: time.Hour}), // no such port
		s.Plain(says("hello"), Settings{Name: "b", Listener: unwilling{b}, Delay: time.Hour}))
	v.within(time.Minute, "The server bad could not listen, and Serve did not return: it returns that error, and no shutdown begins, which would have a Delay.")
	t.Require(v.err != nil, "The server bad could not listen, and Serve returned nil: it should have returned the error of that server.")
	for _, d := range []*fake.Memory{a, b} {
		t.Require(d.Closed(), "The server bad could not listen. The Close of each other listener returns an error, and Serve left that of %s open: it closes every listener.", d.Name)
	}
}

// metricsCannotListen has a metrics server fail under the Name that NewMetrics gives it.
func metricsCannotListen(t *conform.T, s Subject, address string) {
	v := serve(t, s, s.Metrics(s.Counters(), Settings{Addr: address}))
	<-v.done
	t.Require(v.err != nil, "The metrics server could not listen, and Serve returned nil: it should have returned the error of that server.")
	named(t, v.err, "metrics")
}

// servesAnAddress has Serve listen at a free port of host itself. When its sibling, which was given a listener,
// answers, all servers are listening. It tries several times, for another process may take the port before.
func servesAnAddress(t *conform.T, s Subject, host string) {
	const rounds = 5
	for left := rounds; ; left-- {
		addr := freeAddr(host)
		if addr == "" {
			t.Note("no port of %s that is free can be listened at twice and reached here", host)
			return
		}
		err := servesAt(t, s, addr)
		if err == nil {
			return
		}
		t.Require(left > 1, "A server has an Addr, a port of %s that is free, and Serve returned “%v”, in each of %d calls: it should have listened there, as net.Listen(\"tcp\", Addr) does.", host, err, rounds)
	}
}

// anyPort has two servers with an Addr at which net.Listen takes a free port, another one each time.
func anyPort(t *conform.T, s Subject) {
	const addr = "127.0.0.1:0"
	if !isFree(addr) {
		t.Note("nobody can listen at %s here", addr)
		return
	}
	sibling := fake.InMemory("sibling")
	v := serve(t, s,
		s.Plain(says("hello"), Settings{Name: "a", Addr: addr}),
		s.Plain(says("hello"), Settings{Name: "b", Addr: addr}),
		s.Plain(says("hello"), Settings{Name: "sibling", Listener: sibling}))
	v.mustGet(sibling.Door(), "/", 200, "Two servers have the Addr "+addr+", at which net.Listen takes a free port, another one each time: all three are served.")
	v.cancel()
	v.cleanly()
}

// onePortForTwo has two servers with one Addr: the second can't listen there.
func onePortForTwo(t *conform.T, s Subject) {
	addr := freeAddr("127.0.0.1")
	if addr == "" {
		t.Note("no port that is free can be listened at twice here")
		return
	}
	sibling := fake.InMemory("sibling")
	v := serve(t, s,
		s.Plain(says("a"), Settings{Name: "a", Addr: addr}),
		s.Plain(says("b"), Settings{Name: "b", Addr: addr}),
		s.Plain(says("sibling"), Settings{Name: "sibling", Listener: sibling}))
	asking := newClient(sibling.Door())
	defer asking.close()
	first := asking.ask(t, "client", "/")
	<-first.done
	t.Require(first.err != nil, "The servers a and b have the same Addr, at which only one of them can listen, and their sibling was served: a server that can't listen fails before any is served.")
	<-v.done
	t.Require(v.err != nil, "The servers a and b have the same Addr, at which only one of them can listen, and Serve returned nil: it should have returned the error of the other.")
}

// servesAt returns the error of a Serve that can't listen at addr.
func servesAt(t *conform.T, s Subject, addr string) error {
	sibling, last := fake.InMemory("sibling"), fake.InMemory("last")
	v := serve(t, s,
		s.Plain(says("sibling"), Settings{Name: "sibling", Listener: sibling}),
		s.Plain(says("hello"), Settings{Name: "plain", Addr: addr}),
		s.Plain(says("last"), Settings{Name: "last", Listener: last}))
	asking := newClient(sibling.Door())
	defer asking.close()
	first := asking.ask(t, "client", "/")
	select {
	case <-first.done:
		if first.err != nil {
			<-v.done // the listener was closed, for Serve can't listen at addr
		}
	case <-v.done:
	}
	if probe.Closed(v.done) {
		t.Require(v.err != nil, "Serve returned nil. It serves until its context ends or a server fails, and neither has happened.")
		return v.err
	}
	first.required(t, "/", 200, "The sibling of a server that has an Addr should answer.")
	plain := fake.Door{Name: "plain", Dial: func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", addr)
	}}
	body := v.mustGet(plain, "/", 200, "A server should answer at its Addr, as soon as others are served.").body
	t.Require(body == "hello", "The server with an Addr answers “hello”, and its client got %q.", body)
	body = v.mustGet(last.Door(), "/", 200, "A server that was given a Listener should answer there.").body
	t.Require(body == "last", "The server last, which was given a Listener and stands behind one with an Addr, answers “last”, and its client got %q.", body)
	v.cancel()
	v.cleanly()
	return nil
}

// freeAddr is an address of host at which one can listen again and again, and connect, or "".
func freeAddr(host string) string {
	l, err := net.Listen("tcp", net.JoinHostPort(host, "0"))
	if err != nil {
		return ""
	}
	client, err := net.Dial("tcp", l.Addr().String())
	l.Close()
	if err != nil {
		return "" // the loopback is down: one can listen there, and nobody can connect
	}
	client.Close()
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
