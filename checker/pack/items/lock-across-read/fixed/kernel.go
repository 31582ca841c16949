package kernel

import (
	"net"
	"sync"
	"testing"
	"time"
)

// Both callers wait for a peer that takes its time: one for the bytes, the other for the lock.
func Kernel(t testing.TB) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		peer, err := l.Accept()
		if err != nil {
			return
		}
		defer peer.Close()
		time.Sleep(time.Second)
		peer.Write([]byte("ab"))
	}()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			mu.Lock()
			defer mu.Unlock()
			if n, err := conn.Read(make([]byte, 1)); n != 1 {
				t.Errorf("nothing came: %v", err)
			}
		})
	}
	wg.Wait()
}
