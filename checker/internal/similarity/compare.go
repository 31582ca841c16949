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
// order, statements and functions were all changed at once shares 38 or more.
const Usual = 35

// fewest is how many prints a pair has in common at least. Below it a few idioms of the
// language are enough.
const fewest = 8

// Result is what is alike in one lab.
type Result struct {
	Compared   int      // submissions that had code of their own
	Empty      int      // that had none beside the stub's
	Discounted int      // prints left out because much of the class has them
	Crowd      []string // IDs of those who have little else: they may have one source
	Pairs      []Pair
}

// Pair is two submissions that share code.
type Pair struct {
	A, B           string // IDs
	ShareA, ShareB int    // per cent of each one's prints that the other has too
	Shared         int    // prints
	Passages       []Passage
}

// Passage is lines of one submission that look like lines of the other.
type Passage struct {
	A, B   Lines
	prints int
}

// Lines are lines of a file, both ends included.
type Lines struct {
	File     string
	From, To int
}

// own is a submission's prints, once those of others are out of it.
type own struct {
	id     string
	prints map[uint64]mark
}

// Compare compares all with all, by an index of their prints: what is shared by nobody
// costs nothing. given is code that everybody was given, such as the stub.
func Compare(given map[string][]byte, submissions []Submission, o Options) Result {
	theirs := grams(given)
	var all []own
	var r Result
	for _, s := range submissions {
		prints := fingerprint(s.Files)
		maps.DeleteFunc(prints, func(h uint64, _ mark) bool { return theirs[h] })
		if len(prints) == 0 {
			r.Empty++
			continue
		}
		all = append(all, own{s.ID, prints})
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

func find(all []own, id string) own {
	return all[slices.IndexFunc(all, func(o own) bool { return o.id == id })]
}

// invert lists for each mark who has it.
func invert(all []own) map[uint64][]int32 {
	index := map[uint64][]int32{}
	for i, s := range all {
		for h := range s.prints {
			index[h] = append(index[h], int32(i))
		}
	}
	return index
}

// discount takes out what more than a fifth of the class has, and more than ten: code
// from the lesson, or the way that everybody does it. Whoever is left with less than
// half is named: a crowd that copied one source hides its pairs by its size.
func discount(all []own, index map[uint64][]int32) (common int, crowd []string) {
	most := max(10, len(all)/5)
	had := make([]int, len(all))
	for i, s := range all {
		had[i] = len(s.prints)
	}
	for h, who := range index {
		if len(who) > most {
			for _, i := range who {
				delete(all[i].prints, h)
			}
			delete(index, h)
			common++
		}
	}
	for i, s := range all {
		if 2*len(s.prints) < had[i] {
			crowd = append(crowd, s.id)
		}
	}
	return common, crowd
}

// count counts for each pair what both have.
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

func judge(a, b own, shared int, o Options) (Pair, bool) {
	p := Pair{
		A: a.id, B: b.id, Shared: shared,
		ShareA: 100 * shared / len(a.prints), ShareB: 100 * shared / len(b.prints), // both have what is shared
	}
	return p, shared >= fewest && p.most() >= o.Share
}
