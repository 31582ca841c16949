package play

import (
	"context"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/tty"
)

func rollout() Snapshot {
	return Snapshot{
		Elapsed: 92*time.Second + 300*time.Millisecond,
		App: App{
			Name: "default/web", Image: "web:2", Desired: 12, Pods: 14, Updated: 6, Ready: 10, Available: 10,
			MaxSurge: "25%", MaxUnavailable: "25%",
		},
		Nodes: []Node{
			{Name: "node-1", Ready: true, Used: 70, Pods: []Pod{Running, Running, Old, Starting}},
			{Name: "node-2", Ready: true, Lost: true, Used: 50, Pods: []Pod{Old, Old, Broken}},
			{Name: "node-3", Lost: true},
			{Name: "node-4", Used: 250},
		},
		Waiting: 2,
		Queues:  []Queue{{"deployment", 0}, {"replicaset", 1}, {"scheduler", 12}},
		Events: []Event{
			{Age: 3 * time.Second, Reason: "Scheduled", About: "Pod default/web-7d9-x2", Count: 1, Message: "assigned to node-1"},
			{Age: 4 * time.Minute, Warning: true, Reason: "FailedScheduling", About: "Pod default/web-7d9-k4", Count: 17, Message: "0/4 nodes are available: 2 lost, 2 full\x1b[31m\nand more " + strings.Repeat("long ", 20)},
			{Age: 26 * time.Hour, Reason: "Old", About: "x", Message: "\u202esdrawkcab 漢字"},
		},
		Notice: "node-3 is switched off",
	}
}

func TestFrameAsAPersonSeesIt(t *testing.T) {
	for name, style := range map[string]Style{"frame.txt": {}, "frame-ascii.txt": {ASCII: true}} {
		got := strings.Join(Frame(rollout(), 80, 24, style), "\n") + "\n"
		file := "testdata/" + name
		if os.Getenv("UPDATE_GOLDEN") != "" {
			require.NoError(t, os.WriteFile(file, []byte(got), 0o600))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, string(want), got)
	}
}

func TestFrameFillsTheScreenAndNoMore(t *testing.T) {
	crowd := rollout()
	for i := range 50 {
		crowd.Nodes = append(crowd.Nodes, Node{Name: strings.Repeat("n", i), Pods: make([]Pod, 200)})
		crowd.Events = append(crowd.Events, crowd.Events[1])
	}
	for _, s := range []Snapshot{{}, rollout(), crowd} {
		for _, size := range [][2]int{{80, 24}, {81, 25}, {200, 60}, {79, 24}, {80, 23}, {20, 5}, {1, 1}} {
			lines := Frame(s, size[0], size[1], Style{ASCII: true})
			require.Len(t, lines, size[1])
			for _, line := range lines {
				assert.LessOrEqual(t, utf8.RuneCountInString(line), size[0])
				for _, r := range line {
					require.True(t, r >= ' ' && r < 0x7f, "%q in %q", r, line)
				}
			}
		}
	}
}

func TestFrameColours(t *testing.T) {
	lines := strings.Join(Frame(rollout(), 80, 24, Style{Color: true}), "\n")
	assert.Contains(t, lines, "\x1b[32m●\x1b[0m")
	assert.NotContains(t, lines, "\x1b[31m\n", "what objects say cannot colour the screen")
	assert.NotContains(t, strings.Join(Frame(rollout(), 80, 24, Style{}), "\n"), "\x1b")
}

// toy is a cluster that counts.
type toy struct {
	mu   sync.Mutex
	done []Action
}

func (c *toy) Snapshot() Snapshot { return rollout() }
func (c *toy) Do(a Action) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.done = append(c.done, a)
}

func TestLoopObeysKeys(t *testing.T) {
	keys, press := io.Pipe()
	defer press.Close()
	var out strings.Builder
	c := &toy{}
	go func() { _, _ = io.WriteString(press, "+\x1b[A?r\x03") }()
	err := Loop(context.Background(), tty.Terminal{Keys: keys, Out: &out, Size: func() (int, int) { return 80, 24 }}, Style{}, c)
	require.NoError(t, err)
	assert.Equal(t, []Action{More, RollOut}, c.done, "an arrow key and an unknown key do nothing")
	assert.Contains(t, out.String(), "web:2")
}
