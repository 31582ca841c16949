package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/controllerbook/controllerbook/checker/internal/timeline"
	"github.com/controllerbook/controllerbook/checker/internal/wire"
)

// reflects is a history with all that a timeline can show.
var reflects = []wire.Event{
	{Who: "test", What: "New(server, store)", Began: 1, Returned: 2},
	{Who: "reflector", What: "Run(ctx)", Open: true, Began: 3},
	{Who: "server", What: `list "0"`, Result: "[a@7] 10", Began: 4, Returned: 7, Took: 2 * time.Second},
	{Who: "client", What: "HasSynced()", Result: "false", At: time.Second, Began: 5, Returned: 6},
	{Who: "store", What: "Replace [a@7] 10, which is a text that needs more room than there is in one line of a screen", At: 2 * time.Second, Began: 8},
	{Who: "server", What: "a second watch is open", At: time.Hour, Began: 9, Broke: true},
	{Who: "test", What: "one watch at a time", At: time.Hour, Began: 10, Checked: true},
}

func TestTimelineScreen(t *testing.T) {
	golden(t, "timeline", func(s *Screen) { s.CaseTimeline("stops-in-a-watch", timeline.New(reflects, 0)) })
	golden(t, "timeline-end", func(s *Screen) { s.Timeline(timeline.New(reflects, 3)) })
	golden(t, "timeline-none", func(s *Screen) { s.CaseTimeline("no-tasks", timeline.Chart{}) })
}

func TestTimelinesOfAnySizeFit(t *testing.T) {
	for _, text := range hostile {
		var events []wire.Event
		for i := range 40 {
			events = append(events, wire.Event{Who: fmt.Sprint(text, i), What: text, Result: text, Open: i%3 == 0, Began: 2*i + 1, Returned: 2*i + 2, At: time.Duration(i)})
		}
		for _, ascii := range []bool{false, true} {
			var out bytes.Buffer
			New(&out, Options{ASCII: ascii}).Timeline(timeline.New(events, 0))
			wellFormed(t, out.String(), ascii)
			harmless(t, out.String())
			assert.NotEmpty(t, strings.TrimSpace(out.String()))
		}
	}
}
