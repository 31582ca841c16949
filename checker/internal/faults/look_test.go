package faults

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/seeded"
)

func TestNextStepsThatLeadAstrayAreSeen(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	lab, err := catalog.Find("workqueue")
	require.NoError(t, err)
	mistakes, err := seeded.All(root, lab)
	require.NoError(t, err)
	cases := lab.Cases
	look := func(places []string) error {
		lab.Cases = nil
		for _, c := range cases {
			if c.Name == "forgets-what-is-done" {
				c.Look = places
			}
			lab.Cases = append(lab.Cases, c)
		}
		return looked(t.Context(), root, lab, mistakes)
	}
	require.ErrorContains(t, look([]string{"Queue.Len"}), `looks at ["Queue.Len"], and the mistake of fault popped-items-stay is in Queue.Get`)
	require.ErrorContains(t, look([]string{"Queue.Pop"}), "looks at Queue.Pop, and the stub has no such function")
	rest := []string{"Queue.Add", "Queue.Done", "Queue.ShutDownWithDrain"}
	require.NoError(t, look(append([]string{"Queue.Get"}, rest...)), "what the faults change is one of these or is called by them alone")
	require.NoError(t, look(append([]string{"the loop in Queue.Get"}, rest...)), "a function counts in the middle of words, too")
	require.ErrorContains(t, look([]string{"the loop in Queue.Len"}), "fault history-of-all-items is in Queue.Done, Queue.Get", "words do not describe what the stub has")
	require.NoError(t, look(conform.Anywhere))
}
