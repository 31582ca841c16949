package serverstest

import (
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
