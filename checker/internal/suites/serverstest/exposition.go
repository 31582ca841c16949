package serverstest

import (
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
)

// counts reads an answer of /metrics as strictly as the text exposition format is
// written, and no more: series of one metric together, its TYPE before them, once.
func counts(t *conform.T, header http.Header, body string) map[string]float64 {
	kind, params, err := mime.ParseMediaType(header.Get("Content-Type"))
	t.Require(err == nil && kind == "text/plain" && params["version"] == "0.0.4",
		"The Content-Type of /metrics is %q, and that of the text exposition format is text/plain; version=0.0.4.", header.Get("Content-Type"))
	found := map[string]float64{}
	declared := map[string]bool{}
	current := ""
	lines := 0
	for line := range strings.Lines(body) {
		lines++
		t.Require(strings.HasSuffix(line, "\n"), "The last line of /metrics does not end with a newline.")
		line = strings.TrimSuffix(line, "\n")
		if metric, ok := declaration(line); ok {
			t.Require(!strings.Contains(metric, "{"), "Line %d of /metrics is a TYPE line of %q, which is not the name of a metric: that ends at the first brace of a series.", lines, metric)
			t.Require(!declared[metric] || metric != current, "Line %d of /metrics is a second TYPE line of %s, right after a series of that metric: one TYPE line stands before all series of a metric.", lines, metric)
			t.Require(!declared[metric], "Line %d of /metrics is a second TYPE line of %s, after series of %s: the series of one metric do not stand together.", lines, metric, current)
			declared[metric], current = true, metric
			continue
		}
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndexByte(line, ' ')
		t.Require(i > 0, "/metrics has a line that is no sample, a series and its number: %q.", line)
		value, err := strconv.ParseFloat(line[i+1:], 64)
		t.Require(err == nil, "/metrics has a sample without a number: %q.", line)
		series := line[:i]
		metric, _, _ := strings.Cut(series, "{")
		t.Require(metric == current, "/metrics shows %s outside the group that its TYPE line begins: the last TYPE line before it is that of %q.", series, current)
		_, twice := found[series]
		t.Require(!twice, "/metrics shows %s twice.", series)
		found[series] = value
	}
	return found
}

// shows requires these counts and no others. What says what was counted.
func shows(t *conform.T, got, want map[string]float64, what string) {
	var wrong []string
	for _, series := range slices.Sorted(maps.Keys(want)) {
		if n, found := got[series]; !found {
			wrong = append(wrong, fmt.Sprintf("%s is missing, and should be %v", series, want[series]))
		} else if n != want[series] {
			wrong = append(wrong, fmt.Sprintf("%s is %v, and should be %v", series, n, want[series]))
		}
	}
	for _, series := range slices.Sorted(maps.Keys(got)) {
		if _, known := want[series]; known {
			continue
		}
		if got[series] == 0 {
			wrong = append(wrong, fmt.Sprintf("%s is 0, and is not shown before it is first counted", series))
		} else {
			wrong = append(wrong, fmt.Sprintf("%s is %v, and should not be there", series, got[series]))
		}
	}
	t.Require(len(wrong) == 0, "%s In /metrics %s.", what, strings.Join(wrong, "; "))
}

// declaration reads "# TYPE metric counter".
func declaration(line string) (metric string, ok bool) {
	f := strings.Fields(line)
	if len(f) != 4 || f[0] != "#" || f[1] != "TYPE" || f[3] != "counter" {
		return "", false
	}
	return f[2], true
}
