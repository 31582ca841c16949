package similarity

import (
	"cmp"
	"slices"
)

// near is how many words may lie between two fingerprints of one passage.
const near = 24

// region is a passage under construction, in words and in lines.
type region struct {
	Passage
	endA, beginB, endB int
}

// passages joins the fingerprints that two submissions share into passages, longest first.
func passages(a, b compared) []Passage {
	var shared [][2]fingerprint
	for h, p := range a.fingerprints {
		if q, both := b.fingerprints[h]; both {
			shared = append(shared, [2]fingerprint{p, q})
		}
	}
	slices.SortFunc(shared, func(x, y [2]fingerprint) int {
		return cmp.Or(cmp.Compare(x[0].file, y[0].file), cmp.Compare(x[0].index, y[0].index))
	})
	var regions []*region
	for _, s := range shared {
		if r := open(regions, s); r != nil {
			r.grow(s)
			continue
		}
		regions = append(regions, begin(s))
	}
	slices.SortStableFunc(regions, func(x, y *region) int { return cmp.Compare(y.fingerprints, x.fingerprints) })
	all := make([]Passage, len(regions))
	for i, r := range regions {
		all[i] = r.Passage
	}
	return all
}

func begin(s [2]fingerprint) *region {
	return &region{
		Passage: Passage{
			A: Lines{s[0].file, s[0].from, s[0].to}, B: Lines{s[1].file, s[1].from, s[1].to}, fingerprints: 1,
		},
		endA: s[0].index, beginB: s[1].index, endB: s[1].index,
	}
}

// open returns the region that two equal fingerprints continue, because it is near them in
// both files, or nil.
func open(regions []*region, s [2]fingerprint) *region {
	for _, r := range slices.Backward(regions) {
		if r.A.File != s[0].file || s[0].index-r.endA > near {
			return nil // regions are in the order of the first file
		}
		if r.B.File == s[1].file && s[1].index >= r.beginB-near && s[1].index <= r.endB+near {
			return r
		}
	}
	return nil
}

func (r *region) grow(s [2]fingerprint) {
	r.fingerprints++
	r.endA = s[0].index
	r.beginB, r.endB = min(r.beginB, s[1].index), max(r.endB, s[1].index)
	r.A.From, r.A.To = min(r.A.From, s[0].from), max(r.A.To, s[0].to)
	r.B.From, r.B.To = min(r.B.From, s[1].from), max(r.B.To, s[1].to)
}
