package watchhttptest

import (
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

func checkNonsense(t *conform.T, open func() Subject) {
	for _, bad := range []string{
		"nonsense",
		`{"type":"PATCHED","object":{"kind":"Pod","metadata":{"name":"x","resourceVersion":"3"}}}`,
		`{"type":"added","object":{"kind":"Pod","metadata":{"name":"x","resourceVersion":"3"}}}`,
		`{"object":{"kind":"Pod","metadata":{"name":"x","resourceVersion":"3"}}}`,
		`{"type":"ADDED"}`,
		`{"type":"ADDED","object":"text"}`,
		`{"type":"ADDED","object":{"metadata":{"name":7}}}`,
		`{"type":"ERROR","object":[]}`,
		`[1,2]`,
		`}`,
	} {
		t.Virtual(func(t *conform.T) {
			server := &script{answer: func(x exchange) {
				x.say(line(added("a", 2)) + bad + "\n" + line(added("b", 4)))
				x.hold()
			}}
			api := serve(t, server)
			defer api.close()
			t.Note("the server sends %s", bad)
			w := api.caller(open(), 0).watch(t, kit.ListOptions{})
			w.expect(t, []string{"ADDED default/a@2", "ERROR 500 InternalError"}, true, "A line that is no event did not end the watch with an Error.")
			t.Wait()
			require.Equal(t, 1, server.left(), "The watch was over, and its request was not given up.")
		})
	}
}

func checkHuge(t *conform.T, open func() Subject) {
	const limit = 64 << 10
	big := func(n, size int) kit.Event[*kit.Pod] {
		e := added(fmt.Sprint(n), n+1)
		e.Object.Annotations = map[string]string{"big": strings.Repeat("x", size)}
		return e
	}
	t.Virtual(func(t *conform.T) {
		var sent atomic.Int64
		server := &script{answer: func(x exchange) {
			for n := range 20 {
				x.say(line(big(n, limit-1000)))
				x.say(line(added("small", 1)))
			}
			text := `{"type":"ADDED","object":{"kind":"Pod","metadata":{"name":"` + strings.Repeat("x", 1000)
			for sent.Load() < 64*limit && x.say(text) == nil {
				sent.Add(int64(len(text)))
				text = strings.Repeat("x", 1000)
			}
		}}
		api := serve(t, server)
		defer api.close()
		events := api.caller(open(), limit).watch(t, kit.ListOptions{}).rest()
		t.Wait()
		require.Len(t, events, 41, "A stream of events that are long but not too long, and one without an end, did not bring those events and an Error.")
		for _, e := range events[:40] {
			require.Equal(t, kit.Added, e.Type, "An event of less than MaxEvent bytes was refused.")
		}
		require.Equal(t, "ERROR 500 InternalError", show(events[40]), "An event without an end did not bring an Error.")
		require.Less(t, sent.Load(), int64(16*limit), "The client went on reading an event that was much longer than MaxEvent.")
	})
	t.Virtual(func(t *conform.T) {
		server := &script{answer: func(x exchange) { x.say(line(big(0, 3<<20))) }}
		api := serve(t, server)
		defer api.close()
		events := api.caller(open(), 0).watch(t, kit.ListOptions{}).rest()
		require.Equal(t, []string{"ADDED default/0@1"}, texts(events), "An event of 3 MiB was not delivered although MaxEvent was left to its default.")
		require.Len(t, events[0].Object.Annotations["big"], 3<<20, "A long event was cut short.")
	})
}
