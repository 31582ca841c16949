package indexertest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// goodOnes are indices by tag beside one that may fail. Its name, "image", stands between theirs.
var goodOnes = []string{"also", "beside", "tag", "zone"}

// failsBesideSharedValues has writes fail whose objects share values with what is stored, in indices that do not fail. A
// write that does half and takes it back may take with it what was there before.
func failsBesideSharedValues(t *conform.T, s Subject) {
	c := start(t, s, besideGoodOnes("image", imageOf))
	a, b := pod("a", 1, "", "x", "y"), pod("b", 1, "", "y")
	must(t, c.add(a))
	must(t, c.add(b))
	asItWas := func(method string, err error) {
		returnsItsError(t, "An IndexFunc failed with an error of its own", method, err)
		failed := fmt.Sprintf("Stored were %s and %s. %s, so it should have changed nothing: ", show(a), show(b), strings.Replace(c.past.write, ", which failed", " failed, because an IndexFunc did", 1))
		c.holdsAfter(t, failed, a, b)
		for _, name := range goodOnes {
			c.expectAfter(t, failed, name, "x", a)
			c.expectAfter(t, failed, name, "y", a, b)
			c.listsAfter(t, failed, name, "x", "y")
		}
	}
	for _, tags := range [][]string{{"x", "y"}, {"y", "z"}, {}} {
		asItWas("Update", c.update(bad("a", 2, "", tags...)))
		asItWas("Add", c.add(bad("a", 2, "", tags...)))
		asItWas("Add", c.add(bad("d", 2, "", tags...)))
		asItWas("Replace", c.replace(bad("a", 2, "", tags...), b))
		asItWas("Replace", c.replace(a, b, bad("d", 2, "", tags...)))
	}
	refuses := func(*kit.Pod) ([]string, error) { return nil, errImage }
	asItWas("AddIndexers", c.addIndexers(map[string]IndexFunc{"a new one": tagsOf, "refuses": refuses, "too": tagsOf}))
}

// returnsItsError requires that a call returned the error of the IndexFunc that failed, which is what failed says.
func returnsItsError(t *conform.T, failed, method string, err error) {
	t.Require(errors.Is(err, errImage), "%s, and %s has to return that error, wrapped or as it is, and returned %s.", failed, method, conform.Said(err))
}

// besideGoodOnes is an index of that name between indices by tag.
func besideGoodOnes(name string, f IndexFunc) map[string]IndexFunc {
	indexers := map[string]IndexFunc{}
	for _, good := range goodOnes {
		indexers[good] = tagsOf
	}
	indexers[name] = f // the last to be put into a map is seldom the first to be met
	return indexers
}

// indexFails has Index fail, for an object whose key is stored with another state and for one that is not stored.
func indexFails(t *conform.T, c client, stored string, beside []string) {
	for _, name := range []string{"a", "b"} {
		given := bad(name, 6, "node-1", "x")
		_, err := c.index("image", given)
		t.Require(errors.Is(err, errImage), "%s, for %s, which Index was given. %s. Index has to return that error, wrapped or as it is, and returned %s.", failure(beside), show(given), stored, conform.Said(err))
	}
}

// oneOfManyValues has an object change one of its values, whichever of them.
func oneOfManyValues(t *conform.T, c client) {
	for _, n := range []int{3, 4, 5, 8, 33} {
		t.Note("Update(default/a), again and again, with %d tags of which one changes and then changes back: first the one at index 0, in the end that at index %d", n, n-1)
		var before []string
		for i := range n {
			before = append(before, fmt.Sprintf("v%02d", i))
		}
		for i := range n {
			after := slices.Clone(before)
			after[i] = "changed"
			for version, tags := range [][]string{before, after} {
				p := pod("a", version, "", tags...)
				must(t, c.x.Update(p))
				listed := sorted(c.x.ListIndexFuncValues(byTag))
				same(t, sorted(tags), listed, "The only object has %d values. Update(%s) has changed one of them, or has changed it back. ListIndexFuncValues", n, show(p))
			}
			t.Require(len(answerOf(c.x.ByIndex(byTag, "changed"))) == 1 && len(answerOf(c.x.ByIndex(byTag, before[i]))) == 0, "The only object has %d values. Only the one at index %d has changed, from %q to \"changed\". ByIndex does not find the object under the new one, or still finds it under the old one.", n, i, before[i])
		}
	}
}

// givenLooksLikeTheStored asks for objects with the key of a stored one. Their metadata are those of the stored state, all or some,
// and their values are others.
func givenLooksLikeTheStored(t *conform.T, s Subject) {
	for _, version := range []string{"7", ""} {
		c := start(t, s, map[string]IndexFunc{byTag: tagsOf})
		stored, other := pod("a", 7, "", "x"), pod("b", 8, "", "z")
		stored.ResourceVersion, stored.UID, stored.Generation = version, "0b1c7f52", 3
		must(t, c.add(stored))
		must(t, c.add(other))
		for _, given := range lookingLike(stored) {
			want := []*kit.Pod{}
			if len(given.Spec.Tolerations) > 0 {
				want = append(want, other)
			}
			got, err := c.index(byTag, given)
			must(t, err)
			same(t, showAll(want), showAll(got), "Stored is %s, with the generation 3. The values are those of obj as it is given, whatever else it says. Index(%q, %s with the generation %d)", show(stored), byTag, show(given), given.Generation)
		}
	}
}

// lookingLike are other states of p, with the value z or none.
func lookingLike(p *kit.Pod) []*kit.Pod {
	var all []*kit.Pod
	for _, tags := range [][]string{{"z"}, nil} {
		for _, version := range []string{p.ResourceVersion, "", "6", "9"} {
			for _, generation := range []int64{p.Generation, 0, 2, 4} {
				given := p.DeepCopy()
				given.ResourceVersion, given.Generation, given.Spec.Tolerations = version, generation, tags
				all = append(all, given)
			}
		}
	}
	return all
}

// keepsNoWrittenMap has the caller of AddIndexers put other IndexFuncs into its maps. The indices keep those that they had.
func keepsNoWrittenMap(t *conform.T, s Subject) {
	for _, stored := range [][]*kit.Pod{nil, {pod("a", 1, "node-1", "x")}} {
		c := start(t, s, nil)
		must(t, c.replace(stored...))
		first, second := map[string]IndexFunc{byNode: nodeOf}, map[string]IndexFunc{byTag: tagsOf}
		must(t, c.addIndexers(first))
		must(t, c.addIndexers(second))
		t.Do(func() { first[byNode], second[byTag] = imageOf, imageOf }, "puts another IndexFunc into each of the maps that AddIndexers was given")
		holds := func(p *kit.Pod) {
			after := "The maps that AddIndexers was given are the caller's, who has put other IndexFuncs into them since. After " + c.past.write + ": "
			node, tags := p.Spec.NodeName, p.Spec.Tolerations
			c.expectAfter(t, after, byNode, node, p)
			c.expectAfter(t, after, byTag, tags[0], p)
			c.listsAfter(t, after, byNode, node)
			c.listsAfter(t, after, byTag, tags...)
			got, err := c.index(byTag, pod("given", 1, "", tags...))
			t.Require(err == nil && slices.Equal(got, []*kit.Pod{p}), "%sIndex, for a pod with the tags %v, returned %v, %v, and it has to return %s.", after, tags, showAll(got), err, show(p))
		}
		states := []*kit.Pod{pod("a", 2, "node-2", "y"), pod("a", 3, "node-3", "z"), pod("a", 4, "node-4", "w"), pod("b", 5, "node-5", "v")}
		must(t, c.add(states[0]))
		holds(states[0])
		must(t, c.update(states[1]))
		holds(states[1])
		must(t, c.replace(states[2]))
		holds(states[2])
		must(t, c.delete(states[2]))
		must(t, c.add(states[3]))
		holds(states[3])
	}
}

// asksWhereItFails has calls fail while other objects are stored, about which nobody needs to ask.
func asksWhereItFails(t *conform.T, s Subject) {
	var asked asks
	c := start(t, s, map[string]IndexFunc{"image": asked.of("image", imageOf), byNode: asked.of(byNode, nodeOf)})
	stored := []*kit.Pod{pod("a", 1, "node-1"), pod("b", 1, "node-1"), pod("d", 1, "node-1")}
	must(t, c.replace(stored...))
	asked.only(t, "Replace", "It may ask about the objects of its list.", "", stored...)
	fails := func(p *kit.Pod, method string, write func(*kit.Pod) error, may ...*kit.Pod) {
		err := write(p)
		returnsItsError(t, "An IndexFunc failed with an error of its own", method, err)
		why := fmt.Sprintf("An IndexFunc has failed. Until then, and after that, it may ask about %v.", showAll(may))
		asked.only(t, fmt.Sprintf("%s(%s)", method, show(p)), why, "", may...)
	}
	changed, unknown := bad("a", 2, "node-2"), bad("unknown", 1, "node-1")
	fails(changed, "Update", c.update, changed, stored[0])
	fails(changed, "Add", c.add, changed, stored[0])
	fails(unknown, "Update", c.update, unknown)
	fails(unknown, "Add", c.add, unknown)
	for _, given := range []*kit.Pod{changed, unknown} {
		fails(given, "Index", func(p *kit.Pod) error {
			_, err := c.index("image", p)
			return err
		}, given)
	}
}

// twoFailAtOnce makes writes for which two IndexFuncs fail: an indexer may ask them at once, each in a goroutine of its own.
func twoFailAtOnce(t *conform.T, s Subject) {
	c := start(t, s, besideGoodOnes("image", imageOf))
	must(t, c.addIndexers(map[string]IndexFunc{"image too": imageOf}))
	given := bad("a", 1, "node-1", "x")
	fails := func(method string, err error) {
		returnsItsError(t, "Two IndexFuncs failed, both with the same error", method, err)
	}
	fails("Add", c.add(given))
	fails("Update", c.update(given))
	fails("Replace", c.replace(given, bad("b", 1, "node-1")))
	refuses := func(*kit.Pod) ([]string, error) { return nil, errImage }
	must(t, c.add(pod("a", 2, "node-1")))
	fails("AddIndexers", c.addIndexers(map[string]IndexFunc{"refuses": refuses, "refuses too": refuses}))
}
