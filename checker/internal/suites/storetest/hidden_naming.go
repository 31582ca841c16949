package storetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// namesAtOnce has four clients create objects without a name at the same time, from one template.
func namesAtOnce(t *conform.T, s Subject) {
	const clients, each = 4, 10
	c := start(t, s)
	names := make([][]string, clients)
	template := pod("default", "") // all create from this one, which Create never modifies
	template.GenerateName = "web-"
	for i := range clients {
		t.Go(fmt.Sprintf("creator %d", i), func(a *conform.Actor) {
			c := c.as(a)
			for range each {
				made := c.create(template)
				if !t.Assert(made.err == nil && made.got != nil, "Create of an object with a generateName failed: %v.", made.err) {
					return
				}
				names[i] = append(names[i], made.got.Name)
			}
		})
	}
	t.Join()
	taken := map[string]bool{}
	for _, mine := range names {
		for _, name := range mine {
			t.Require(!taken[name], "Two objects were created at the same time, and both got the generated name %s.", name)
			taken[name] = true
		}
	}
}

// readsArguments has goroutines update with one and the same object, while another reads it.
func readsArguments(t *conform.T, s Subject) {
	const rounds = 6
	c := start(t, s)
	mine := c.create(pod("default", "argument")).ok()
	mine.Labels["app"] = "other"
	before := mine.DeepCopy()
	for i := range 2 {
		t.Go(fmt.Sprintf("updater %d", i), func(a *conform.Actor) {
			for range rounds {
				c.as(a).update(mine)
			}
		})
	}
	t.Go("reader of the argument", func(*conform.Actor) {
		for range 4 * rounds {
			if !t.Assert(kit.Pods.Equal(before, mine), "While Update was under way its argument changed: an argument is never modified, not even for a moment.") {
				return
			}
			othersFirst()
		}
	})
	t.Join()
}

// varied requires that no position of the suffixes has always had the same character.
func varied(t *conform.T, suffixes []string) {
	for at := range suffixes[0] {
		same := !slices.ContainsFunc(suffixes, func(s string) bool { return s[at] != suffixes[0][at] })
		t.Require(!same, "%d names were generated, and character %d of the five was %q in all of them, as in %s, %s and %s: the five characters are not random.",
			len(suffixes), at+1, suffixes[0][at], suffixes[0], suffixes[1], suffixes[2])
	}
}

// keepsItsJournals changes the slice from which New got its journals.
func keepsItsJournals(t *conform.T, s Subject) {
	first, other := journalOf(t, "journal"), journalOf(t, "another journal")
	journals := []kit.Journal[*kit.Pod]{first}
	c := start(t, s, journals...)
	t.Note("the caller of New(Pods, journals...) puts another journal into its slice")
	journals[0] = other
	c.create(pod("default", "web")).ok()
	t.Require(len(first.notes) == 1 && len(other.notes) == 0,
		"The store was made with one journal, and afterwards its caller put another into the slice. The next change went %d times to the first and %d times to the other: it should have gone to the first alone.", len(first.notes), len(other.notes))
}

// takesAnyName creates objects that an API server would refuse: the store does not validate.
func takesAnyName(c client) {
	for _, name := range []string{" spaces ", "Capitals_And.Dots", strings.Repeat("n", 300)} {
		p := pod("any", name)
		p.Finalizers = []string{"no-domain", "no-domain"}
		made := c.create(p).ok()
		c.t.Require(made.Name == name, "An object was created with the name %q, and Create called it %q: the store does not validate names, and a name that is set wins.", name, made.Name)
		sameFinalizers(c.t, p.Finalizers, made, "An object was created with finalizers, and the store does not validate their names")
		same(c.t, made, c.get("any", name).ok(), "Get returned something other than Create did")
	}
	p := pod("any", "named")
	p.GenerateName = strings.Repeat("g", 300)
	made := c.create(p)
	c.t.Require(made.err == nil, "An object with the name \"named\" and a generateName of 300 characters was created, and Create failed with %s: the store has no limits, and a name that is set wins.", conform.Said(made.err))
	sameGenerateName(c, p)
}

// sameGenerateName requires that an object which was created with name and generateName has both.
func sameGenerateName(c client, asked *kit.Pod) {
	got := c.get(asked.Namespace, asked.Name).ok()
	c.t.Require(got.GenerateName == asked.GenerateName, "An object was created with the name %q and a generateName of %d characters, and the stored one has a generateName of %d, %q: everything else is stored as obj has it, the generateName too.", asked.Name, len(asked.GenerateName), len(got.GenerateName), got.GenerateName)
}

// generatedIsLikeNamed creates objects without a name: what holds for those with one holds for them.
func generatedIsLikeNamed(c client) {
	asked := pod("other", "")
	asked.GenerateName = "web-"
	made := stamps(c, asked)
	truth := made.DeepCopy()
	c.t.Note("the caller writes to the argument and the result of Create")
	scribble(asked)
	scribble(made)
	same(c.t, truth, c.get("other", truth.Name).ok(), "The caller wrote to the argument and the result of a Create with a generateName, and the stored object changed with them")
}
