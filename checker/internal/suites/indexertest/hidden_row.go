package indexertest

import (
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// inARow is how many objects are written one after the other, in the order of their names. They are so many that a
// reader is at it for as long as a few writes take.
const inARow = 250

func nameOf(p *kit.Pod) ([]string, error) { return []string{p.Name}, nil }

// writesInARow has all objects written in a row, again and again: updated, deleted and added. At each moment those up
// to some name are one write further than those behind it. Readers, which find all of them by one call, see that.
func writesInARow(t *conform.T, s Subject) {
	c := start(t, s, map[string]IndexFunc{byNamespace: namespaceOf, "name": nameOf})
	var states [3][]*kit.Pod // by version
	for version := range states {
		for i := range inARow {
			states[version] = append(states[version], pod(strconv.Itoa(i), version, ""))
		}
	}
	must(t, c.x.Replace(states[1], "1"))
	var ended atomic.Bool
	for range 2 {
		t.Go("reader", func(*conform.Actor) {
			for !ended.Load() {
				for _, r := range rowReaders() {
					if problem := r.problem(c.x); !t.Assert(problem == "", "Objects are written one after the other, first 0, then 1, and so on to %d: each is updated, and later each is deleted, and each is added again. Meanwhile a reader called %s, %s. That was true at no moment: this call was no single step, or a write was none.", inARow-1, r.method, problem) {
						return
					}
				}
			}
		})
	}
	call := t.Call("Update of %d pods, one after the other, then Add of a new state of each, Delete of each, and Add of each, all of it again and again", inARow)
	for range 2 {
		inOneRow(t, c.x.Update, states[2])
		inOneRow(t, c.x.Add, states[0])
		inOneRow(t, c.x.Delete, states[0])
		inOneRow(t, c.x.Add, states[1])
	}
	call.Returned("")
	ended.Store(true)
	t.Join()
}

func inOneRow(t *conform.T, write func(*kit.Pod) error, pods []*kit.Pod) {
	for _, p := range pods {
		must(t, write(p))
	}
}

// rowReader finds all objects of a row by one call: either them, or no more than their names.
type rowReader struct {
	method  string
	objects func(x Indexer) []*kit.Pod
	names   func(x Indexer) []string
}

func rowReaders() []rowReader {
	given := pod("given", 0, "")
	keys := func(x Indexer) []string { return answerOf(x.IndexKeys(byNamespace, "default")) }
	return []rowReader{
		{method: "List", objects: Indexer.List},
		{method: "ByIndex", objects: func(x Indexer) []*kit.Pod { return answerOf(x.ByIndex(byNamespace, "default")) }},
		{method: "Index", objects: func(x Indexer) []*kit.Pod { return answerOf(x.Index(byNamespace, given)) }},
		{method: "ListKeys", names: func(x Indexer) []string { return named(x.ListKeys()) }},
		{method: "IndexKeys", names: func(x Indexer) []string { return named(keys(x)) }},
		{method: "ListIndexFuncValues", names: func(x Indexer) []string { return x.ListIndexFuncValues("name") }},
	}
}

// named is keys without the namespace.
func named(keys []string) []string {
	names := []string{}
	for _, key := range keys {
		names = append(names, strings.TrimPrefix(key, "default/"))
	}
	return names
}

// absent is the state of an object that was not found. After it comes version 1, and then 2, 0 and absent again.
// Of names no more is known than that they are present.
const (
	absent  = -1
	present = -2
)

// problem makes the call, and says what in the answer was true at no moment.
func (r rowReader) problem(x Indexer) string {
	var row [inARow]int
	for i := range row {
		row[i] = absent
	}
	if r.objects == nil {
		for _, name := range r.names(x) {
			row[number(name)] = present
		}
		return twoChanges(row)
	}
	for _, p := range r.objects(x) {
		row[number(p.Name)] = number(p.ResourceVersion)
	}
	next := map[int]int{absent: 1, 1: 2, 2: 0, 0: absent}
	for i := range inARow - 1 {
		if row[i] != row[i+1] && row[i] != next[row[i+1]] {
			return fmt.Sprintf("and it found %s and %s", stateOf(i, row[i]), stateOf(i+1, row[i+1]))
		}
	}
	return twoChanges(row)
}

// twoChanges names three objects of which the one between differs from both others.
func twoChanges(row [inARow]int) string {
	first := 0
	for i := 1; i < inARow; i++ {
		switch {
		case row[i] == row[i-1]:
		case first == 0:
			first = i
		default:
			return fmt.Sprintf("and it found %s, %s and %s", stateOf(first-1, row[first-1]), stateOf(i-1, row[i-1]), stateOf(i, row[i]))
		}
	}
	return ""
}

func stateOf(i, state int) string {
	switch state {
	case absent:
		return fmt.Sprintf("%d missing", i)
	case present:
		return fmt.Sprintf("%d present", i)
	}
	return fmt.Sprintf("%d as @%d", i, state)
}

// number is the number that is a name or a version of the row.
func number(s string) int {
	n, _ := strconv.Atoi(s)
	return max(0, min(n, inARow-1))
}
