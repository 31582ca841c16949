package serverstest

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// counts reads an answer of /metrics as strictly as the text exposition format is
// written, and no more: series of one metric together, its TYPE before them, once.
func counts(t *conform.T, header http.Header, body string) map[string]float64 {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	require.NoError(t, err, "/metrics answered with a Content-Type that can't be read.")
	require.Equal(t, "text/plain 0.0.4", kind+" "+params["version"], "/metrics did not answer with the Content-Type of the text exposition format.")
	found := map[string]float64{}
	declared := map[string]bool{}
	current := ""
	for line := range strings.Lines(body) {
		require.True(t, strings.HasSuffix(line, "\n"), "The last line of /metrics does not end with a newline.")
		line = strings.TrimSuffix(line, "\n")
		if metric, ok := declaration(line); ok {
			require.False(t, declared[metric], "/metrics declares the type of %s twice: its series do not stand together.", metric)
			declared[metric], current = true, metric
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		require.Positive(t, i, "/metrics has a line that is no sample: %q.", line)
		value, err := strconv.ParseFloat(line[i+1:], 64)
		require.NoError(t, err, "/metrics has a sample without a number: %q.", line)
		series := line[:i]
		metric, _, _ := strings.Cut(series, "{")
		require.Equal(t, current, metric, "/metrics shows %s outside the group that its TYPE line begins.", series)
		_, twice := found[series]
		require.False(t, twice, "/metrics shows %s twice.", series)
		found[series] = value
	}
	return found
}

// declaration reads "# TYPE metric counter".
func declaration(line string) (metric string, ok bool) {
	f := strings.Fields(line)
	if len(f) != 4 || f[0] != "#" || f[1] != "TYPE" || f[3] != "counter" {
		return "", false
	}
	return f[2], true
}
