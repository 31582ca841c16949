package explain

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/controllerbook/controllerbook/checker/internal/outcome"
)

// maxQuotes is how many sentences of the contract are shown.
const maxQuotes = 3

// quotes are the sentences of the contract that a failure is about, the likeliest first: those
// that share most words with what the screen says of it. A word that few of the sentences have
// says more than one that all of them have. Where no word is shared, nothing is known, and all stay.
func quotes(contract []string, failure string) []string {
	texts := make([]vocabulary, len(contract))
	for i, sentence := range contract {
		texts[i] = wholes(sentence)
	}
	likeness := alikeness(wordsOf(failure), texts)
	if len(contract) < 2 || slices.Max(likeness) == 0 {
		return contract
	}
	order := byLikeness(likeness)
	sorted := make([]string, 0, maxQuotes)
	for _, i := range order[:min(len(order), maxQuotes)] {
		sorted = append(sorted, contract[i])
	}
	return sorted
}

// byLikeness are the indices of the texts, the likest first. Of equals the first stays first.
func byLikeness(likeness []float64) []int {
	order := make([]int, len(likeness))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(likeness[b], likeness[a]) })
	return order
}

// long keeps a sentence of a few words from being the likest by one of them.
const long = 8

// rareness weighs a word by how few of the texts have it.
func rareness(texts []vocabulary) func(word string) float64 {
	have := map[string]int{}
	for _, text := range texts {
		for w := range text {
			have[w]++
		}
	}
	return func(w string) float64 { return math.Log(1 + float64(len(texts))/float64(have[w])) }
}

// alikeness says of each text how much of it is in the failure: 0 is nothing.
func alikeness(failure vocabulary, texts []vocabulary) []float64 {
	weight := rareness(texts)
	all := make([]float64, len(texts))
	for i, text := range texts {
		shared, whole := 0.0, float64(long)
		for _, w := range text.sorted() {
			whole += weight(w)
			if failure[w] {
				shared += weight(w)
			}
		}
		if shared > 0 {
			all[i] = shared / math.Sqrt(whole)
		}
	}
	return all
}

// vocabulary is the words of a text that mean something, without their endings.
type vocabulary map[string]bool

// sorted is for sums that come out the same each time.
func (v vocabulary) sorted() []string {
	var all []string
	for w := range v {
		all = append(all, w)
	}
	slices.Sort(all)
	return all
}

var (
	letters = regexp.MustCompile(`[\pL\d]+`)
	hump    = regexp.MustCompile(`([a-z\d])([A-Z])`)
)

// empty are the words that stand in any sentence.
var empty = func() map[string]bool {
	all := map[string]bool{}
	for w := range strings.FieldsSeq("a an and any are as at be been before but by case code did does each for from had has have if in into is it its " +
		"may more must no none nor not of on one only or other should so such than that the their them then there these they this those to too " +
		"two was were what when where which while will with would your") {
		all[w] = true
	}
	return all
}()

// wordsOf are the words of a text. A name counts as a whole and in its parts: RetryAfter is retry
// and after, too.
func wordsOf(text string) vocabulary {
	v := wholes(text)
	for part := range strings.FieldsSeq(hump.ReplaceAllString(text, "$1 $2")) {
		maps.Copy(v, wholes(part))
	}
	return v
}

// wholes are the words of a text in which a name counts once, as a whole.
func wholes(text string) vocabulary {
	v := vocabulary{}
	for _, w := range letters.FindAllString(text, -1) {
		v.add(w)
	}
	return v
}

func (v vocabulary) add(word string) {
	if w := strings.ToLower(word); len(w) > 1 && !empty[w] {
		v[stem(w)] = true
	}
}

// stem is a word without the ending of its form: returned and returns are return.
func stem(word string) string {
	for _, end := range []string{"ing", "ed", "es", "s"} {
		if w, ok := strings.CutSuffix(word, end); ok && len(w) > 2 && !strings.HasSuffix(w, "s") {
			word = w
			break
		}
	}
	if n := len(word); n > 3 && word[n-1] == word[n-2] { // stopp
		word = word[:n-1]
	}
	return strings.TrimSuffix(word, "e")
}

// failure is what a screen says of how a case failed: by it the sentences of the contract are chosen.
func failure(e Explanation, r outcome.Result) string {
	if len(r.Race) > 0 {
		text := "Any goroutine may call it, many goroutines at once." // whichever functions the two are in
		if slices.ContainsFunc(r.Race, outside) {
			text += " It is never written to, changed, modified or kept: it belongs to the caller, who gets a copy."
		}
		return text
	}
	said := []string{e.What}
	for _, event := range r.History {
		if event.Open || event.Broke {
			said = append(said, event.What)
		}
	}
	return strings.Join(said, "\n")
}

// outside reports whether an access is made by the code that calls the learner's.
func outside(a outcome.Access) bool { return a.At.Line == 0 && a.Main && !a.Unseen }

// likeliest are the places where a mistake is looked for, those first that the failure names.
func likeliest(places []string, failure string) []string {
	texts := make([]vocabulary, len(places))
	for i, place := range places {
		texts[i] = wordsOf(place)
	}
	sorted := make([]string, 0, len(places))
	for _, i := range byLikeness(alikeness(wordsOf(failure), texts)) {
		sorted = append(sorted, places[i])
	}
	return sorted
}
