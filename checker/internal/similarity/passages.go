package similarity

import (
	"cmp"
	"slices"
)

// near is how many words may lie between two prints of one passage.
const near = 24

// region is a passage under construction, in words and in lines.
type region struct {
	Passage
	endA, beginB, endB int
}

// passages joins the prints that two submissions share into lines, longest first.
func passages(a, b own) []Passage {
	var shared [][2]mark
	for h, p := range a.prints {
		if q, both := b.prints[h]; both {
			shared = append(shared, [2]mark{p, q})
		}
	}
	slices.SortFunc(shared, func(x, y [2]mark) int {
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
	slices.SortStableFunc(regions, func(x, y *region) int { return cmp.Compare(y.prints, x.prints) })
	all := make([]Passage, len(regions))
	for i, r := range regions {
		all[i] = r.Passage
	}
	return all
}

func begin(s [2]mark) *region {
	return &region{
		Passage: Passage{
			A: Lines{s[0].file, s[0].from, s[0].to}, B: Lines{s[1].file, s[1].from, s[1].to}, prints: 1,
		},
		endA: s[0].index, beginB: s[1].index, endB: s[1].index,
	}
}

// open is the region that two equal prints continue: close by on both sides.
func open(regions []*region, s [2]mark) *region {
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

func (r *region) grow(s [2]mark) {
	r.prints++
	r.endA = s[0].index
	r.beginB, r.endB = min(r.beginB, s[1].index), max(r.endB, s[1].index)
	r.A.From, r.A.To = min(r.A.From, s[0].from), max(r.A.To, s[0].to)
	r.B.From, r.B.To = min(r.B.From, s[1].from), max(r.B.To, s[1].to)
}
