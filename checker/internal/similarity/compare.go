// Package similarity finds pairs of submissions that are suspiciously alike.
//
// What it finds is a lead for a teacher to judge and never a verdict. Two people who
// read the same lesson write similar code; a short lab leaves little room to differ; a
// good disguise leaves no trace.
package similarity

import (
	"cmp"
	"maps"
	"slices"
)

// Submission is one student's code for one lab.
type Submission struct {
	ID    string
	Files map[string][]byte // by base name
}

// Options say what counts.
type Options struct {
	Share int // a pair is reported if this many per cent of either are shared
	Top   int // at most so many pairs, the most alike first; 0 is all
}

// Usual is the share from which on a pair is worth a look. Measured over 17 labs:
// two solutions by different hands share 24 per cent at most, and a copy whose names,
// order, statements and functions were all changed at once shares 37 or more.
const Usual = 35

// fewest is how many fingerprints a pair shares at least. A few idioms of the language are
// enough to share less.
const fewest = 8

// Result is what is alike in one lab.
type Result struct {
	Compared   int      // submissions that had code of their own
	Empty      int      // that had none beside the stub's
	Discounted int      // fingerprints left out because much of the class has them
	Crowd      []string // IDs of those who have little else: they may have one source
	Pairs      []Pair
}

// Pair is two submissions that share code.
type Pair struct {
	A, B           string // IDs
	ShareA, ShareB int    // per cent of each one's fingerprints that the other has too
	Shared         int    // fingerprints
	Passages       []Passage
}

// Passage is lines of one submission that look like lines of the other.
type Passage struct {
	A, B         Lines
	fingerprints int
}

// Lines are lines of a file, both ends included.
type Lines struct {
	File     string
	From, To int
}

// compared is a submission's own fingerprints, without those of code that others have too.
type compared struct {
	id           string
	fingerprints map[uint64]fingerprint
}

// Compare compares every submission with every other. It does so by an index of their
// fingerprints, so that those which nobody shares cost nothing. given is code that everybody
// was given, such as the stub.
func Compare(given map[string][]byte, submissions []Submission, o Options) Result {
	theirs := grams(given)
	var all []compared
	var r Result
	for _, s := range submissions {
		found := fingerprints(s.Files)
		maps.DeleteFunc(found, func(h uint64, _ fingerprint) bool { return theirs[h] })
		if len(found) == 0 {
			r.Empty++
			continue
		}
		all = append(all, compared{s.ID, found})
	}
	r.Compared = len(all)
	index := invert(all)
	r.Discounted, r.Crowd = discount(all, index)
	for pair, shared := range count(index) {
		if p, alike := judge(all[pair[0]], all[pair[1]], shared, o); alike {
			r.Pairs = append(r.Pairs, p)
		}
	}
	slices.SortFunc(r.Pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.most(), a.most()), cmp.Compare(b.Shared, a.Shared), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	if o.Top > 0 && len(r.Pairs) > o.Top {
		r.Pairs = r.Pairs[:o.Top]
	}
	for i := range r.Pairs {
		r.Pairs[i].Passages = passages(find(all, r.Pairs[i].A), find(all, r.Pairs[i].B))
	}
	return r
}

func (p Pair) most() int { return max(p.ShareA, p.ShareB) }

func find(all []compared, id string) compared {
	return all[slices.IndexFunc(all, func(o compared) bool { return o.id == id })]
}

// invert lists for each hash the submissions that have it, by their index.
func invert(all []compared) map[uint64][]int32 {
	index := map[uint64][]int32{}
	for i, s := range all {
		for h := range s.fingerprints {
			index[h] = append(index[h], int32(i))
		}
	}
	return index
}

// discount removes the fingerprints that more than a fifth of the class has, and more than
// ten submissions: code from the lesson, or what everybody writes. It returns how many
// these are, and the IDs of the submissions that are left with less than half of theirs. So
// many may have copied one source that no pair of them stands out.
func discount(all []compared, index map[uint64][]int32) (common int, crowd []string) {
	most := max(10, len(all)/5)
	had := make([]int, len(all))
	for i, s := range all {
		had[i] = len(s.fingerprints)
	}
	for h, who := range index {
		if len(who) > most {
			for _, i := range who {
				delete(all[i].fingerprints, h)
			}
			delete(index, h)
			common++
		}
	}
	for i, s := range all {
		if 2*len(s.fingerprints) < had[i] {
			crowd = append(crowd, s.id)
		}
	}
	return common, crowd
}

// count counts for each pair of submissions the fingerprints that both have.
func count(index map[uint64][]int32) map[[2]int32]int {
	shared := map[[2]int32]int{}
	for _, who := range index {
		for i, a := range who {
			for _, b := range who[i+1:] {
				shared[[2]int32{a, b}]++ // who is in the order of the class
			}
		}
	}
	return shared
}

func judge(a, b compared, shared int, o Options) (Pair, bool) {
	p := Pair{
		A: a.id, B: b.id, Shared: shared,
		ShareA: 100 * shared / len(a.fingerprints), ShareB: 100 * shared / len(b.fingerprints), // both have what is shared
	}
	return p, shared >= fewest && p.most() >= o.Share
}
