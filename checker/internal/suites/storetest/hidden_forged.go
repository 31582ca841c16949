package storetest

import (
	"slices"
	"strings"
	"time"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/labs/kit"
)

// forgery is what a client writes into the fields that the store keeps: UID, deletionTimestamp and
// creation time.
type forgery struct {
	what string // "" if it leaves them as they are
	make func(p *kit.Pod)
}

// forgeries are the combinations, those that change little first.
func forgeries() []forgery {
	none := forgery{"", func(*kit.Pod) {}}
	var all []forgery
	for _, uid := range []forgery{none, {"no UID", func(p *kit.Pod) { p.UID = "" }}} {
		for _, deletion := range []forgery{none, {"no deletionTimestamp", func(p *kit.Pod) { p.DeletionTimestamp = nil }}, deletionIn(time.Hour), deletionIn(-time.Minute)} {
			for _, creation := range []forgery{none, {"no creation time", func(p *kit.Pod) { p.CreationTimestamp = time.Time{} }}, creationIn(time.Minute), creationIn(-time.Minute)} {
				parts := slices.DeleteFunc([]string{uid.what, deletion.what, creation.what}, func(what string) bool { return what == "" })
				all = append(all, forgery{strings.Join(parts, " and "), func(p *kit.Pod) { uid.make(p); deletion.make(p); creation.make(p) }})
			}
		}
	}
	return all
}

func deletionIn(d time.Duration) forgery {
	return forgery{"a deletionTimestamp of the caller's", func(p *kit.Pod) {
		at := time.Now().Add(d)
		p.DeletionTimestamp = &at
	}}
}

func creationIn(d time.Duration) forgery {
	return forgery{"a creation time of the caller's", func(p *kit.Pod) { p.CreationTimestamp = p.CreationTimestamp.Add(d) }}
}

// of is p with the forgery, and words how a message speaks of it.
func (f forgery) of(p *kit.Pod) *kit.Pod {
	forged := p.DeepCopy()
	f.make(forged)
	return forged
}

func (f forgery) words() string {
	if f.what == "" {
		return "UID and times as they are stored"
	}
	return f.what
}

// inEachState calls check with a live object and with one that is being deleted, each with two finalizers.
func inEachState(c client, name string, check func(state string, p *kit.Pod)) {
	for _, state := range []string{"a live object", "an object that is being deleted"} {
		p := pod("default", name)
		p.Finalizers = []string{"x.io/a", "x.io/b"}
		p = c.create(p).ok()
		if state != "a live object" {
			p = c.delete("default", name).ok()
		}
		check(state, p)
		p = c.get("default", name).ok()
		p.Finalizers = nil
		if p = c.update(p).ok(); p.DeletionTimestamp == nil {
			c.delete("default", name).ok()
		}
	}
}

// countsNoForgery changes a label and then the spec, with each of the forgeries: only the spec counts.
func countsNoForgery(c client) {
	inEachState(c, "forged", func(state string, p *kit.Pod) {
		for i, forged := range forgeries() {
			label := forged.of(p)
			label.Labels["round"] = a2s(i)
			got := c.update(label).ok()
			c.t.Require(got.Generation == p.Generation, "An update of %s changed a label. Its own object had %s. The generation went from %d to %d: it stays as it is unless the spec has changed.", state, forged.words(), p.Generation, got.Generation)
			spec := forged.of(got)
			spec.Spec.Image = "nginx:" + a2s(i+100)
			p = c.update(spec).ok()
			c.t.Require(p.Generation == got.Generation+1, "An update of %s changed the spec. Its own object had %s. The generation went from %d to %d: it rises by one.", state, forged.words(), got.Generation, p.Generation)
			want := got.DeepCopy()
			want.Spec.Image, want.Generation, want.ResourceVersion = spec.Spec.Image, p.Generation, p.ResourceVersion
			same(c.t, want, p, "An update of %s changed the spec. Its own object had %s. The store keeps UID, creation time and deletionTimestamp, and the update returned other changes than that of the spec", state, forged.words())
		}
	})
}

// writesNoForgery makes updates that change nothing but what the store keeps.
func writesNoForgery(c client) {
	inEachState(c, "forged", func(state string, p *kit.Pod) {
		for _, forged := range forgeries() {
			got := c.update(forged.of(p)).ok()
			c.t.Require(got.ResourceVersion == p.ResourceVersion, "An update of %s changed nothing that the store takes over. Its own object had %s. The version went from %s to %s: an update that would change nothing is not a write.", state, forged.words(), p.ResourceVersion, got.ResourceVersion)
			same(c.t, p, got, "An update of %s changed nothing that the store takes over. Its own object had %s. It did not return the object as it was", state, forged.words())
		}
	})
}

// deletesByNoForgery takes the last finalizers of an object with each of the forgeries, and tries
// to add one before: the stored deletionTimestamp decides what comes of it.
func deletesByNoForgery(c client) {
	for i, forged := range forgeries() {
		live := pod("default", "live-"+a2s(i))
		live.Finalizers = []string{"x.io/a"}
		live = c.create(live).ok()
		none := forged.of(live)
		none.Finalizers = nil
		c.update(none).ok()
		free := c.get("default", live.Name)
		c.t.Require(free.err == nil, "An update took the last finalizer of an object that nobody has deleted. Its own object had %s. A Get after it failed with %s: the store keeps the deletionTimestamp as it is, which is none, whatever the update's own object has.", forged.words(), conform.Said(free.err))
		c.delete("default", live.Name).ok()

		marked := held(c, "marked-"+a2s(i))
		more := forged.of(marked)
		more.Finalizers = append(more.Finalizers, "x.io/late")
		refusedUpdate(c, more, marked, kit.ReasonInvalid, "An update that adds a finalizer to an object that is being deleted (its own object has "+forged.words()+")")
		last := forged.of(marked)
		last.Finalizers = nil
		c.update(last).ok()
		c.get("default", marked.Name).refused(kit.ReasonNotFound, "An update took the last finalizer of an object that is being deleted, which deletes it. (Its own object had "+forged.words()+".) A Get after it")
	}
}

// addsNearNames tries to add finalizers to a deleting object whose names are nearly those that it has.
func addsNearNames(c client, marked *kit.Pod) {
	has := marked.Finalizers
	near := []string{"x", "x.io/", "io/a", "X.io/a", "x.io/A", "x.io/ab", "a.x.io/a", "x.io/a ", " x.io/a", "x.io/a\n"}
	for _, between := range []string{"", ",", ", ", " ", ";", "|", "/", "\n", "\x00"} {
		near = append(near, strings.Join(has[:2], between), strings.Join(has, between))
	}
	for _, name := range append(near, "") {
		more := marked.DeepCopy()
		more.Finalizers = append(more.Finalizers, name)
		write := c.update(more)
		c.t.Require(write.err != nil, "An object that is being deleted has the finalizers %q. An update that adds %q succeeded, and must be refused with Invalid: the stored object does not have that one.", has, name)
		write.refused(kit.ReasonInvalid, "An update that adds a finalizer to a deleting object, with a name that is nearly one of its finalizers',")
	}
}

// addsNothing makes updates of a deleting object, of three finalizers, that add none to them.
func addsNothing(c client, marked *kit.Pod) {
	has := marked.Finalizers
	for _, allowed := range []struct {
		what       string
		finalizers []string
	}{
		{"put the finalizers of a deleting object in another order", []string{has[2], has[0], has[1]}},
		{"named a finalizer of a deleting object twice", append(slices.Clone(has), has[0])},
	} {
		next := marked.DeepCopy()
		next.Finalizers = allowed.finalizers
		write := c.update(next)
		c.t.Require(write.err == nil, "An update %s, which adds none that the object does not have, and failed with %s.", allowed.what, conform.Said(write.err))
		sameFinalizers(c.t, next.Finalizers, write.ok(), "An update "+allowed.what)
		write.got.Finalizers = has
		*marked = *c.update(write.got).ok()
	}
}

// sameFinalizers requires that a write returned the finalizers that it was given.
func sameFinalizers(t *conform.T, want []string, got *kit.Pod, write string) {
	t.Require(slices.Equal(want, got.Finalizers), "%s. It returned the object with the finalizers %q, and they should be %q.", write, got.Finalizers, want)
}

// rewritesAsRead sends objects back as they were read, on the real clock: a time of time.Now has a
// monotonic reading there, which a time that went through JSON has not.
func rewritesAsRead(c client) {
	inEachState(c, "reread", func(state string, p *kit.Pod) {
		for _, sent := range []*kit.Pod{p.DeepCopy(), plain(p)} {
			got := c.update(sent).ok()
			c.t.Require(got.ResourceVersion == p.ResourceVersion, "An update sent %s back as it was read, and its version went from %s to %s. The store keeps the creation time and the deletionTimestamp as they are, so nothing has changed: this is not a write. (On the real clock, a time from time.Now has a monotonic reading, which Round and Truncate take away, and Type.Equal sees that.)", state, p.ResourceVersion, got.ResourceVersion)
		}
	})
}
