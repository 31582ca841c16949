package sandbox

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary play the process under test.
func TestMain(m *testing.M) {
	if act := os.Getenv("SANDBOX_TEST_ACT"); act != "" {
		os.Exit(acts[act]())
	}
	os.Exit(m.Run())
}

var acts = map[string]func() int{
	"seven": func() int {
		fmt.Println("out")
		fmt.Fprintln(os.Stderr, "err")
		socket := os.NewFile(3, "socket")
		orders := make([]byte, 2)
		if _, err := io.ReadFull(socket, orders); err != nil {
			return 1
		}
		fmt.Fprintf(socket, "record of %s\n", orders)
		return 7
	},
	"flood": func() int {
		for {
			fmt.Println(strings.Repeat("x", 1<<12))
		}
	},
	// A process that looks for its orders where it has no business to.
	"pry": func() int {
		in, err := io.ReadAll(os.Stdin)
		fmt.Printf("%q %v\n", in, err)
		_, err = os.ReadFile("/proc/self/fd/3")
		fmt.Println(err)
		return 0
	},
	"sleep":  func() int { time.Sleep(time.Hour); return 0 },
	"signal": func() int { p, _ := os.FindProcess(os.Getpid()); _ = p.Kill(); time.Sleep(time.Hour); return 0 },
	"hoard": func() int {
		hoard := make([]byte, 256<<20)
		for i := range hoard {
			hoard[i] = 1
		}
		time.Sleep(time.Hour)
		return int(hoard[0])
	},
	"spin": func() int {
		for n := 0; ; n++ {
		}
	},
	// A process that uses a second of processor time after its first record.
	"begin and work": func() int {
		fmt.Fprintln(os.NewFile(3, "socket"), "begun")
		for cpuTime(os.Getpid()) < time.Second {
		}
		return 0
	},
	"parent of hoard": func() int { return parent("hoard") },
	"parent of spin":  func() int { return parent("spin") },
	// A child that outlives its parent and holds its pipes.
	"child": func() int {
		cmd := exec.Command(os.Args[0])
		cmd.Env = []string{"SANDBOX_TEST_ACT=sleep"}
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			return 1
		}
		fmt.Println(cmd.Process.Pid)
		return 0
	},
}

// parent starts a child and waits for it.
func parent(act string) int {
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{"SANDBOX_TEST_ACT=" + act}
	if cmd.Run() != nil {
		return 1
	}
	return 0
}

func act(t *testing.T, name string, limits Limits) Result {
	t.Helper()
	r, err := Run(t.Context(), command(name, limits))
	require.NoError(t, err)
	return r
}

func command(name string, limits Limits) Command {
	return Command{Path: os.Args[0], Env: []string{"SANDBOX_TEST_ACT=" + name}, Orders: []byte("{}"), Limits: limits}
}

var roomy = Limits{Wall: time.Minute, Output: 1 << 20, Record: 1 << 20}

func TestRunTellsHowItEnded(t *testing.T) {
	r := act(t, "seven", roomy)
	assert.Equal(t, 7, r.Exit)
	assert.Equal(t, "out\n", string(r.Stdout))
	assert.Equal(t, "err\n", string(r.Stderr))
	assert.Equal(t, "record of {}\n", string(r.Records))
	assert.False(t, r.TimedOut || r.Flooded)
	assert.Empty(t, r.Signal)
}

func TestOrdersAreReadFromDescriptor3Alone(t *testing.T) {
	r := act(t, "pry", roomy)
	in, path, _ := strings.Cut(string(r.Stdout), "\n")
	assert.Equal(t, `"" <nil>`, in, "standard input is empty")
	assert.Contains(t, path, "open /proc/self/fd/3: ", "the socket was opened a second time")
}

func TestRunTellsASignalFromAnExit(t *testing.T) {
	r := act(t, "signal", roomy)
	assert.Equal(t, "killed", r.Signal)
	assert.False(t, r.TimedOut)
}

func TestOutputIsBounded(t *testing.T) {
	r := act(t, "flood", Limits{Wall: time.Minute, Output: 10_000, Record: 1 << 20})
	assert.True(t, r.Flooded)
	assert.False(t, r.TimedOut, "a flood ends the process, not its time")
	assert.LessOrEqual(t, len(r.Stdout)+len(r.Stderr), 10_000)
}

func TestWallClockIsBounded(t *testing.T) {
	r := act(t, "sleep", Limits{Wall: 50 * time.Millisecond, Output: 1000, Record: 1000})
	assert.True(t, r.TimedOut)
}

func TestProcessorTimeBeforeTheFirstRecordIsBounded(t *testing.T) {
	if cpuTime(os.Getpid()) == 0 {
		t.Skip("this system does not tell what another process has used")
	}
	limits := roomy
	limits.Start = overseeEvery
	r := act(t, "spin", limits)
	assert.True(t, r.CPUSpent)
	assert.False(t, r.TimedOut)
	r = act(t, "begin and work", limits)
	assert.False(t, r.CPUSpent, "it had begun")
	assert.Zero(t, r.Exit)
	r = act(t, "seven", limits)
	assert.Equal(t, 7, r.Exit)
}

func TestAChildDoesNotOutliveTheRun(t *testing.T) {
	r := act(t, "child", roomy)
	pid, err := strconv.Atoi(strings.TrimSpace(string(r.Stdout)))
	require.NoError(t, err)
	require.Eventually(t, func() bool {
		state, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err != nil || strings.Contains(string(state), ") Z ")
	}, 10*time.Second, 10*time.Millisecond, "the child is still alive")
}

func TestCancellingEndsTheRun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	_, err := Run(ctx, command("sleep", roomy))
	require.ErrorIs(t, err, context.Canceled)
}

func TestNoSuchProgramIsAnError(t *testing.T) {
	_, err := Run(t.Context(), Command{Path: "/no/such/program", Orders: []byte("{}"), Limits: roomy})
	require.Error(t, err)
}

func TestOffersNameWhatTheyGive(t *testing.T) {
	for _, o := range Offers() {
		assert.NotEmpty(t, o.Name)
		assert.NotEmpty(t, o.Found)
		assert.NotEmpty(t, o.Gives)
	}
}
