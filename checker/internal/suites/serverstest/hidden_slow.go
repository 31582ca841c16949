package serverstest

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/conform/fake"
)

func checkSlowHeaders(t *conform.T, open func() Subject) {
	for _, c := range []struct{ set, limit time.Duration }{{5 * time.Second, 5 * time.Second}, {200 * time.Millisecond, 200 * time.Millisecond}, {50 * time.Second, 50 * time.Second}, {0, 32 * time.Second}} {
		t.Virtual(func(t *conform.T) {
			pause := time.Second
			if c.set == 0 {
				pause = 20 * time.Hour // whatever limit there is, it passes
			}
			s, api := open(), fake.InMemory("api")
			v := serve(t, s, s.API(handler(func(w http.ResponseWriter, r *http.Request) {
				body, err := io.ReadAll(r.Body)
				if err != nil {
					http.Error(w, err.Error(), http.StatusBadRequest)
					return
				}
				time.Sleep(pause * slowBytes)
				if err := r.Context().Err(); err != nil {
					http.Error(w, "the context of the request has ended: "+err.Error(), http.StatusInternalServerError)
					return
				}
				w.Write(body)
			}), s.Counters(), Settings{Listener: api, ReadHeaderTimeout: c.set}))
			set := fmt.Sprintf("ReadHeaderTimeout is %v", c.set)
			if c.set == 0 {
				set = fmt.Sprintf("ReadHeaderTimeout is not set, which means %v", c.limit)
			}
			for _, first := range []bool{true, false} {
				at, who := slowHeader(t, api.Door(), c.limit/10, first, set)
				t.Require(at >= c.limit, "%s was cut off after %v, too early: %s.", who, at, set)
				t.Require(at <= c.limit+tolerance/2, "%s was cut off after %v, too late: %s.", who, at, set)
			}
			slowBody(t, api.Door(), pause)
			v.ends()
		})
	}
}

// slowHeader sends a header that never ends, line by line, perhaps behind a request that is answered, and returns how
// long the server bore it, and of whom.
func slowHeader(t *conform.T, d fake.Door, pause time.Duration, first bool, set string) (bore time.Duration, who string) {
	conn, err := d.Dial(t.Context())
	t.Require(err == nil, "The server was serving, and a new connection was refused: %v.", err)
	began := t.Elapsed()
	cut := make(chan time.Duration, 1)
	t.Go("slow client", func(a *conform.Actor) {
		io.Copy(io.Discard, conn) // an answer is allowed
		cut <- t.Elapsed()
	})
	who = "A client that sends its header line by line"
	if !first {
		who = "A client that has its answer to one request, and sends the header of the next line by line on the same connection,"
		waits(t, conn, cut, min(20*pause, 55*time.Second), set)
		began = t.Elapsed()
	}
	call := t.Call("GET %s/, a line each %v", d.Name, pause)
	defer conn.Close()
	for line := "GET / HTTP/1.1\r\nHost: api\r\n"; ; line = "X-More: x\r\n" {
		conn.SetWriteDeadline(time.Now().Add(pause))
		io.WriteString(conn, line)
		select {
		case at := <-cut:
			call.Returned("cut off after %v", at-began)
			return at - began, who
		case <-time.After(pause):
			t.Require(t.Elapsed()-began < 10*time.Minute, "%s was not cut off for 10m: nothing bounds how long the header of that request may take.", who)
		}
	}
}

// waits has the client of conn get an answer, and be silent for some time: less than a minute, and more than the
// header of a request may take.
func waits(t *conform.T, conn io.Writer, cut <-chan time.Duration, silence time.Duration, set string) {
	t.Note("a client sends GET api/healthz, gets its answer, and waits for %v", silence)
	io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: api\r\n\r\n")
	t.Wait()
	t.Require(len(cut) == 0, "A client sent a request, and its connection was closed behind the answer: a server keeps it open for the next request.")
	time.Sleep(silence)
	t.Wait()
	t.Require(len(cut) == 0, "A client had its answer to one request, and %v later, before it sent another, its connection had been closed. %s, which bounds the header of a request and not the wait for it: a server keeps a connection open for the next request, for a minute at least.", silence, set)
}

// slowBytes is how many bytes slowBody sends.
const slowBytes = 60

// slowBody sends a body, byte by byte, and requires that it comes back whole.
func slowBody(t *conform.T, d fake.Door, pause time.Duration) {
	asking := newClient(d)
	defer asking.close()
	in, out := io.Pipe()
	t.Go("uploader", func(*conform.Actor) {
		defer out.Close()
		for range slowBytes {
			if _, err := io.WriteString(out, "x"); err != nil {
				return
			}
			time.Sleep(pause)
		}
	})
	begun := t.Elapsed()
	r := asking.send(t.Actor, http.MethodPost, "/", in)
	in.Close()
	slow := fmt.Sprintf("A client sent its header at once, its body takes %v, and its handler takes as long again.", pause*slowBytes)
	t.Require(r.err == nil, "%s The client was cut off %v after it had begun: %v. ReadHeaderTimeout bounds neither the body nor the answer.", slow, t.Elapsed()-begun, r.err)
	t.Require(r.code == 200, "%s It was answered, %v after it had begun, with %v. ReadHeaderTimeout bounds neither the body nor the answer.", slow, t.Elapsed()-begun, r)
	t.Require(len(r.body) == slowBytes, "A body of %d bytes came slowly, and the handler got %d of them.", slowBytes, len(r.body))
}
