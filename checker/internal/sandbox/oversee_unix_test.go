//go:build unix

package sandbox

import (
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestPsTime(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"0:00.04": 40 * time.Millisecond, "1:02.50": 62500 * time.Millisecond, "12:00:01": 12*time.Hour + time.Second,
		"00:00:59": 59 * time.Second, "2-00:01:00": 48*time.Hour + time.Minute, "": 0, "what": 0,
	} {
		assert.Equal(t, want, psTime(text), text)
	}
}

func TestLimitsPassed(t *testing.T) {
	l := Limits{Memory: 1 << 20, CPU: time.Minute}
	assert.Equal(t, within, l.passed(7, "  7 1024  0:59.00\n  8 99999 9:00.00\n"), "another group's")
	assert.Equal(t, overMemory, l.passed(7, "  7   10 0:00.01\n  7 1025 0:00.01\n"), "the second process of the group")
	assert.Equal(t, overCPU, l.passed(7, "  7 10 00:01:01\n"))
	assert.Equal(t, within, Limits{}.passed(7, "  7 9999999 99:00.00\n"), "no limits")
	assert.Equal(t, within, l.passed(7, "ps: illegal option\n\n"), "what is not ps's")
}

// It is the child of the process that was started whose memory counts: a compiler is
// started by the go command.
func TestOverseeLooksAtTheWholeGroup(t *testing.T) {
	if _, err := exec.LookPath("ps"); err != nil {
		t.Skip("there is no ps")
	}
	for name, want := range map[string]struct {
		limits Limits
		over   excess
	}{
		"parent of hoard": {Limits{Memory: 128 << 20}, overMemory},
		"parent of spin":  {Limits{Memory: 1 << 30, CPU: time.Second}, overCPU},
	} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0])
			cmd.Env = []string{"SANDBOX_TEST_ACT=" + name}
			isolate(cmd)
			require.NoError(t, cmd.Start())
			stop := oversee(cmd.Process.Pid, want.limits, func() { killGroup(cmd) })
			_ = cmd.Wait()
			assert.Equal(t, want.over, stop())
		})
	}
}

func TestOverseeLeavesAloneWhatIsWithin(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = []string{"SANDBOX_TEST_ACT=seven"}
	isolate(cmd)
	require.NoError(t, cmd.Start())
	stop := oversee(cmd.Process.Pid, Limits{Memory: 1 << 30, CPU: time.Minute}, func() { t.Error("it was killed") })
	_ = cmd.Wait()
	assert.Equal(t, within, stop())
}
