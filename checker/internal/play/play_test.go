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
		Databases: []Database{
			{Name: "pg-1", Size: 20, Ready: ready("Available"), Synced: ready("InSync"), Finalizer: true, Rented: Rented{State: "modifying", Size: 20, Left: 5600 * time.Millisecond}, Next: "in 3s"},
			{Name: "pg-2", Size: 10, Ready: missing("PasswordMissing"), Synced: missing("PasswordMissing"), Finalizer: true, Next: "retry 11"},
			{Rented: Rented{State: "available", Size: 30}},
		},
		Cloud: Cloud{Down: true, Calls: 1234, Throttled: 56, Last: []CloudCall{
			{Age: 2 * time.Second, Verb: "ModifyDatabase", Name: "pg-1", Answer: "begins"},
			{Age: 3 * time.Second, Verb: "GetDatabase", Name: "pg-2", Answer: "Throttled, not before 2s", Refused: true},
		}},
	}
}

func ready(reason string) Condition   { return Condition{Set: true, Holds: true, Reason: reason} }
func missing(reason string) Condition { return Condition{Set: true, Reason: reason} }

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
		crowd.Databases = append(crowd.Databases, Database{Name: strings.Repeat("d", i), Next: strings.Repeat("n", i)})
		crowd.Cloud.Last = append(crowd.Cloud.Last, CloudCall{Verb: strings.Repeat("v", i), Answer: strings.Repeat("a", 3*i)})
	}
	without := Snapshot{NoOperator: strings.Repeat("to be built ", 20)}
	for _, s := range []Snapshot{{}, rollout(), crowd, without} {
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

func TestEveryPartHasRoom(t *testing.T) {
	s := rollout()
	for i := range 8 {
		s.Nodes = append(s.Nodes, Node{Name: "another"})
		s.Databases = append(s.Databases, Database{Name: "more"})
		s.Events = append(s.Events, Event{Reason: "More"}, Event{Reason: "More"})
		s.Cloud.Last = append(s.Cloud.Last, CloudCall{Verb: "Get", Age: time.Duration(i) * time.Second})
	}
	small := strings.Join(Frame(s, 80, 24, Style{}), "\n")
	for _, text := range []string{"node-4", "… and 7 more", "pg-2", "… and 9 more", "ModifyDatabase pg-1", "scheduler 12", "Scheduled", "FailedScheduling", "node-3 is switched off", "q quit"} {
		assert.Contains(t, small, text)
	}
	large := strings.Join(Frame(s, 200, 60, Style{}), "\n")
	assert.NotContains(t, large, "and 9 more")
	assert.Contains(t, large, "✗ PasswordMissing   ", "there is room for all of it")
	assert.Contains(t, large, "GetDatabase")
}

func TestNoOperatorNoCloud(t *testing.T) {
	screen := strings.Join(Frame(Snapshot{NoOperator: "Lab 23 is still to be built."}, 80, 24, Style{}), "\n")
	assert.Contains(t, screen, "still to be built")
	assert.NotContains(t, screen, "the cloud is")
	assert.Contains(t, strings.Join(Frame(Snapshot{}, 80, 24, Style{}), "\n"), "none: d makes one")
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
