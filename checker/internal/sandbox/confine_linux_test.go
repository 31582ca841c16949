package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func init() {
	acts["attack"] = attackAll
	acts["eat"] = eat
	acts["fill"] = fill
	acts["big file"] = func() int { return toCode(os.WriteFile("big", make([]byte, 4<<20), 0o600)) }
	acts["threads"] = threads
	acts["work"] = work
	acts["talk"] = talk
}

// roomyBox are limits that an honest process does not meet. Under the race detector
// the address space is large from the start.
var roomyBox = Limits{
	Wall: time.Minute, Output: 1 << 20, Record: 1 << 20,
	CPU: 30 * time.Second, Memory: 6 << 30, File: 1 << 20, Tasks: 128, Disk: 8 << 20,
}

// everyMode runs f for each mode that this machine offers, and says which it does not.
func everyMode(t *testing.T, modes []Mode, f func(t *testing.T, i Isolation)) {
	for _, mode := range modes {
		t.Run(string(mode), func(t *testing.T) {
			i, err := Choose(t.Context(), string(mode))
			if err != nil {
				t.Skipf("this machine does not offer %s: %v", mode, err)
			}
			f(t, i)
		})
	}
}

var (
	confining = []Mode{Namespaces, Landlock}
	allModes  = []Mode{Namespaces, Landlock, None}
)

// boxed is an act in a mode, in a directory of its own.
func boxed(t *testing.T, i Isolation, name string, args ...string) Command {
	t.Helper()
	program, err := os.Executable()
	require.NoError(t, err)
	return Command{
		Path: program, Args: args, Dir: t.TempDir(), Env: []string{"SANDBOX_TEST_ACT=" + name},
		Isolation: i, Limits: roomyBox, Orders: []byte("{}"),
	}
}

func run(t *testing.T, c Command) Result {
	t.Helper()
	r, err := Run(t.Context(), c)
	require.NoError(t, err)
	return r
}

// TestNothingOfTheMachineCanBeReached runs every attack in every mode.
func TestNothingOfTheMachineCanBeReached(t *testing.T) {
	everyMode(t, confining, func(t *testing.T, i Isolation) {
		told, marks := victim(t)
		r := run(t, boxed(t, i, "attack", told))
		count, worked, _ := strings.Cut(string(r.Stdout), "\n")
		require.Equal(t, fmt.Sprint(len(attacks())), count, "the attacks were broken off: exit %d %s\n%s", r.Exit, r.Signal, r.Stderr)
		assert.JSONEq(t, allowed(i.Mode), worked)
		assert.Empty(t, marks(), "the process left marks on the machine")
	})
}

// allowed are the attacks that are none in a mode: a kernel that executes a program
// by Landlock's leave lets it be read, too, and who runs it has read it anyway.
func allowed(mode Mode) string {
	if mode == Landlock {
		return `{"read its own program": "it worked"}`
	}
	return `{}`
}

// marks are what attacks left on the machine.
type marks struct {
	dir  string     // anybody may write here
	mu   sync.Mutex // guards seen
	seen []string
}

func (m *marks) note(what string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.seen = append(m.seen, what)
}

// all are the marks so far, with the files that were made.
func (m *marks) all(t *testing.T) []string {
	entries, err := os.ReadDir(m.dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Name() != "secret" {
			m.note(e.Name())
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen
}

// listen opens doors that no attack may reach: a port by TCP and UDP, and a socket by name.
func (m *marks) listen(t *testing.T) (port, socket string) {
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { tcp.Close() })
	go func() {
		if _, err := tcp.Accept(); err == nil {
			m.note("a connection by TCP")
		}
	}()
	udp, err := net.ListenPacket("udp", tcp.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { udp.Close() })
	go func() {
		if _, _, err := udp.ReadFrom(make([]byte, 8)); err == nil {
			m.note("a packet by UDP")
		}
	}()
	_, port, _ = net.SplitHostPort(tcp.Addr().String())
	socket = fmt.Sprintf("@controllerbook-%d", time.Now().UnixNano())
	door, err := net.Listen("unix", socket)
	require.NoError(t, err)
	t.Cleanup(func() { door.Close() })
	return port, socket
}

// victim sets up what attacks are after: told is for the process, and left is what they
// have left once it has ended.
func victim(t *testing.T, only ...string) (told string, left func() []string) {
	t.Helper()
	shared, err := os.MkdirTemp("/tmp", "victim-")
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(shared) })
	require.NoError(t, os.Chmod(shared, 0o777))
	secret := filepath.Join(shared, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret"), 0o644))
	m := &marks{dir: shared}
	port, socket := m.listen(t)
	text, err := json.Marshal(target{os.Getpid(), secret, port, socket, shared, only})
	require.NoError(t, err)
	return string(text), func() []string { return m.all(t) }
}

// TestTheAttacksAreReal tries those that do no harm where nothing stands in their way.
func TestTheAttacksAreReal(t *testing.T) {
	everyMode(t, []Mode{None}, func(t *testing.T, i Isolation) {
		harmless := []string{
			"read /etc/passwd", "read a file that everyone may read", "read its own program", "read its memory map",
			"write where everyone may", "connect by TCP", "send by UDP", "connect to a unix socket", "listen",
			"run a program", "run a program of its own making", "signal the checker", "signal through a pipe",
			"map writable code", "write and then execute", "patch its own code", "patch its own code by way of /proc",
			"map code from a file of its own", "a secret file in memory", "personality",
		}
		told, marks := victim(t, harmless...)
		r := run(t, boxed(t, i, "attack", told))
		_, worked, _ := strings.Cut(string(r.Stdout), "\n")
		var names map[string]string
		require.NoError(t, json.Unmarshal([]byte(worked), &names), "%s", r.Stdout)
		for _, name := range harmless {
			assert.Contains(t, names, name)
		}
		assert.NotEmpty(t, marks())
	})
}

func toCode(err error) int {
	if err == nil {
		return 0
	}
	fmt.Println(err)
	return 9
}

// work does what honest code does: threads, timers, garbage, files in its directory.
func work() int {
	var wg sync.WaitGroup
	for n := range 64 {
		wg.Go(func() {
			time.Sleep(time.Millisecond)
			_ = make([]byte, n<<10)
		})
	}
	wg.Wait()
	fmt.Println("done", time.Now().Year() > 2000)
	fmt.Fprintln(os.NewFile(3, "records"), "record")
	return 0
}

func TestHonestWorkGoesOn(t *testing.T) {
	everyMode(t, allModes, func(t *testing.T, i Isolation) {
		r := run(t, boxed(t, i, "work"))
		assert.Equal(t, "done true\n", string(r.Stdout))
		assert.Empty(t, string(r.Stderr))
		assert.Equal(t, "record\n", string(r.Records))
		assert.Zero(t, r.Exit)
	})
}

func TestADirectoryOfItsOwnIsPrivate(t *testing.T) {
	i, err := Choose(t.Context(), string(Namespaces))
	if err != nil {
		t.Skip(err)
	}
	c := boxed(t, i, "big file")
	c.Limits.File = 8 << 20
	require.Zero(t, run(t, c).Exit)
	entries, err := os.ReadDir(c.Dir)
	require.NoError(t, err)
	assert.Empty(t, entries, "what is written in namespaces is in memory, and gone")
}

func TestProcessorTimeIsBounded(t *testing.T) {
	everyMode(t, allModes, func(t *testing.T, i Isolation) {
		c := boxed(t, i, "spin")
		c.Limits.CPU = time.Second
		r := run(t, c)
		assert.True(t, r.CPUSpent, "%+v", r)
		assert.False(t, r.TimedOut)
	})
}

// eat allocates for ever.
func eat() int {
	var all [][]byte
	for {
		b := make([]byte, 16<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		all = append(all, b)
		if len(all) > 1<<10 {
			return 0
		}
	}
}

func TestMemoryIsBounded(t *testing.T) {
	everyMode(t, allModes, func(t *testing.T, i Isolation) {
		c := boxed(t, i, "eat")
		c.Limits.Memory = 3 << 30
		r := run(t, c)
		assert.NotZero(t, r.Exit)
		assert.Regexp(t, "out of memory|ThreadSanitizer failed to allocate", string(r.Stderr[:min(len(r.Stderr), 500)]))
	})
}

func fill() int {
	for n := range 1 << 12 {
		if err := os.WriteFile(fmt.Sprint("f", n), make([]byte, 1<<19), 0o600); err != nil {
			return toCode(err)
		}
	}
	return 0
}

func TestTheDiskIsBounded(t *testing.T) {
	everyMode(t, confining, func(t *testing.T, i Isolation) {
		r := run(t, boxed(t, i, "fill"))
		assert.Equal(t, 9, r.Exit)
		want := "no space left"
		if i.Mode == Landlock {
			want = "permission denied"
		}
		assert.Contains(t, string(r.Stdout), want)
	})
}

func TestFilesAreBounded(t *testing.T) {
	everyMode(t, []Mode{Namespaces, None}, func(t *testing.T, i Isolation) {
		assert.NotZero(t, run(t, boxed(t, i, "big file")).Exit)
	})
}

// threads starts a thread for each goroutine, by blocking it in the kernel.
func threads() int {
	for range 4096 {
		go func() {
			fds := make([]int, 2)
			if unix.Pipe(fds) == nil {
				_, _ = unix.Read(fds[0], make([]byte, 1))
			}
			_ = unix.Nanosleep(&unix.Timespec{Sec: 3600}, nil)
		}()
	}
	time.Sleep(5 * time.Second)
	return 0
}

func TestThreadsAreBounded(t *testing.T) {
	i, err := Choose(t.Context(), string(Namespaces))
	if err != nil || os.Geteuid() == 0 && !i.nobody {
		t.Skip("only a user other than root has a limit of threads", err)
	}
	r := run(t, boxed(t, i, "threads"))
	head := string(r.Stderr[:min(len(r.Stderr), 200)])
	assert.NotZero(t, r.Exit)
	assert.True(t, strings.Contains(head, "failed to create new OS thread") || strings.Contains(head, "pthread_create failed"), head)
}

func TestFloodsEndInEveryMode(t *testing.T) {
	everyMode(t, allModes, func(t *testing.T, i Isolation) {
		c := boxed(t, i, "flood")
		c.Limits.Output = 10_000
		assert.True(t, run(t, c).Flooded)
	})
}

// talk has a conversation with itself over TCP.
func talk() int {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return toCode(err)
	}
	go func() {
		if c, err := l.Accept(); err == nil {
			fmt.Fprint(c, "hello")
			c.Close()
		}
	}()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return toCode(err)
	}
	b := make([]byte, 5)
	_, err = c.Read(b)
	fmt.Println(string(b))
	return toCode(err)
}

func TestLoopbackIsForThoseWhoAskAndInNamespacesOnly(t *testing.T) {
	everyMode(t, confining, func(t *testing.T, i Isolation) {
		c := boxed(t, i, "talk")
		r := run(t, c)
		assert.Contains(t, string(r.Stdout), "permission denied")
		c.Loopback = true
		r = run(t, c)
		if i.Mode == Namespaces {
			assert.Equal(t, "hello\n", string(r.Stdout))
		} else {
			assert.Contains(t, string(r.Stdout), "permission denied")
		}
	})
}

// TestABrokenConfinementStartsNothing gives the launcher an order it cannot carry out.
func TestABrokenConfinementStartsNothing(t *testing.T) {
	everyMode(t, confining, func(t *testing.T, i Isolation) {
		c := boxed(t, i, "work")
		c.Read = []string{"/no/such/file"}
		_, err := Run(t.Context(), c)
		var broken *ConfineError
		require.ErrorAs(t, err, &broken)
		assert.Contains(t, err.Error(), "/no/such/file")
	})
}

func TestChooseKnowsItsWords(t *testing.T) {
	_, err := Choose(t.Context(), "strong")
	require.ErrorContains(t, err, "auto")
	i, err := Choose(t.Context(), "auto")
	if errors.Is(err, ErrNoIsolation) {
		t.Skip(err)
	}
	require.NoError(t, err)
	assert.True(t, i.Confined())
	t.Log(i)
}
