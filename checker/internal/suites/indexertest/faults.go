package indexertest

import (
	"slices"

	"github.com/controllerbook/controllerbook/checker/internal/conform"
	"github.com/controllerbook/controllerbook/checker/internal/verdict"
)

// The files of the solution.
const (
	writing = "indexer.go"
	reading = "reading.go"
)

var faults = slices.Concat(stale, refusals, sharing)

// stale are mistakes after which an index says too much or too little.
var stale = []conform.Fault{
	{
		Name:     "name-without-namespace",
		Mistake:  "GetByKey looks for the name alone as well, as if it were unique.",
		File:     reading,
		Edits:    conform.Swap("\te, exists := x.items[key]\n", "\te, exists := x.items[key]\n\tif !exists {\n\t\te, exists = x.items[\"default/\"+key]\n\t}\n"),
		KilledBy: "stores-by-key",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "first-value-only",
		Mistake:  "An IndexFunc is taken to return one value.",
		File:     writing,
		Edits:    conform.Swap("for _, value := range m.to {", "for _, value := range m.to[:min(1, len(m.to))] {"),
		KilledBy: "finds-by-index",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "old-values-kept",
		Mistake:  "An update puts the object under its new values and leaves it under the old ones.",
		File:     writing,
		Edits:    conform.Swap("if !slices.Equal(from, to) {", "if from = nil; !slices.Equal(from, to) {"),
		KilledBy: "update-moves-the-object",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "nothing-moved-nothing-written",
		Mistake:  "An update that leaves all values as they are is taken to change nothing, and readers of the index keep the old object.",
		File:     writing,
		Edits:    conform.Swap("\te.obj = obj\n", "\tif len(moves) > 0 {\n\t\te.obj = obj\n\t}\n"),
		KilledBy: "update-moves-the-object",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "new-place-for-each-state",
		Mistake:  "An update makes a new entry, and the indices whose values stay the same go on pointing at the old one.",
		File:     writing,
		Edits:    conform.Swap("\te.obj = obj\n", "\te = &entry[T]{key: key}\n\tx.items[key] = e\n\te.obj = obj\n"),
		KilledBy: "update-moves-the-object",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "deletion-by-the-given-state",
		Mistake:  "Delete takes the object out of the values of the state that it was given, which may be long past.",
		File:     writing,
		Edits:    conform.Swap("\tmoves, err := x.departures(room[:0], e)\n", "\tmoves, err := x.departures(room[:0], &entry[T]{key, obj})\n"),
		KilledBy: "delete-removes-everywhere",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "deletion-of-nothing",
		Mistake:  "Delete does not ask whether there is anything to delete.",
		File:     writing,
		Edits:    conform.Swap("\tif !exists {\n\t\treturn nil\n\t}\n", "\t_ = exists\n"),
		KilledBy: "delete-removes-everywhere",
		Verdict:  verdict.Panic,
	},
	{
		Name:     "replace-keeps-the-indices",
		Mistake:  "Replace adds the new objects to the indices of before.",
		File:     writing,
		Edits:    conform.Swap("\t\tindices[name] = in\n", "\t\tfor value, s := range old.sets {\n\t\t\tfor e := range s {\n\t\t\t\tin.insert(value, e)\n\t\t\t}\n\t\t}\n\t\tindices[name] = in\n"),
		KilledBy: "replace-rebuilds",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "replace-merges",
		Mistake:  "Replace stores the objects of the list beside those that are there.",
		File:     writing,
		Edits:    conform.Swap("\tx.items, x.indices = items, indices\n", "\tmaps.Copy(x.items, items)\n\tx.indices = indices\n"),
		KilledBy: "replace-rebuilds",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "short-cut-by-the-first-value",
		Mistake:  "The short cut for updates that change nothing compares the first values only.",
		File:     writing,
		Edits:    conform.Swap("if !slices.Equal(from, to) {", "if len(from) == 0 || len(to) == 0 || !slices.Equal(from[:1], to[:1]) {"),
		KilledBy: "updates-look-at-all-values",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "in-before-out",
		Mistake:  "The object is put under its new values first and then taken out of the old ones, and with them out of those that stay.",
		File:     writing,
		Edits:    conform.Swap("\tfor _, value := range m.from {\n\t\tm.in.remove(value, e)\n\t}\n\tfor _, value := range m.to {\n\t\tm.in.insert(value, e)\n\t}\n", "\tfor _, value := range m.to {\n\t\tm.in.insert(value, e)\n\t}\n\tfor _, value := range m.from {\n\t\tm.in.remove(value, e)\n\t}\n"),
		KilledBy: "updates-look-at-all-values",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "found-once-for-each-value",
		Mistake:  "Index appends what it finds under each value, and an object that shares two is there twice.",
		File:     reading,
		Edits:    conform.Swap("\tunion := make(set[T])\n\tfor _, value := range values {\n\t\tmaps.Copy(union, in.sets[value])\n\t}\n\treturn union.objects(), nil\n", "\tvar all []T\n\tfor _, value := range values {\n\t\tall = append(all, in.sets[value].objects()...)\n\t}\n\treturn all, nil\n"),
		KilledBy: "each-object-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "index-by-the-stored-state",
		Mistake:  "Index looks up the values of what is stored under the key, not those of the object it is given.",
		File:     reading,
		Edits:    conform.Swap("\tvalues, err := in.of(obj)\n", "\tif e, ok := x.items[kit.Key(obj)]; ok {\n\t\tobj = e.obj\n\t}\n\tvalues, err := in.of(obj)\n"),
		KilledBy: "each-object-once",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "empty-sets-listed",
		Mistake:  "A set whose last object has left it stays in the index (kubernetes#84959).",
		File:     writing,
		Edits:    conform.Swap("\tif len(s) == 0 {\n\t\tdelete(in.sets, value)\n\t}\n", ""),
		KilledBy: "values-without-objects-vanish",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "empty-sets-put-by",
		Mistake: "Empty sets are put by for when their value comes back; most never do (kubernetes#84959).",
		File:    writing,
		Edits: []conform.Edit{
			{Old: "\tsets   map[string]set[T]\n", New: "\tsets   map[string]set[T]\n\tspare  map[string]set[T]\n"},
			{Old: "&index[T]{name, values, make(map[string]set[T])}", New: "&index[T]{name, values, make(map[string]set[T]), make(map[string]set[T])}"},
			{Old: "\t\ts = make(set[T])\n", New: "\t\tif s = in.spare[value]; s == nil {\n\t\t\ts = make(set[T])\n\t\t}\n"},
			{Old: "\t\tdelete(in.sets, value)\n", New: "\t\tdelete(in.sets, value)\n\t\tin.spare[value] = s\n"},
		},
		KilledBy: "past-values-cost-nothing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "search-in-everything",
		Mistake:  "ByIndex goes through all objects and asks the IndexFunc about each.",
		File:     reading,
		Edits:    conform.Swap("\treturn in.sets[indexedValue].objects(), nil\n", "\tfound := make(set[T])\n\tfor _, e := range x.items {\n\t\tif values, err := in.of(e.obj); err == nil && slices.Contains(values, indexedValue) {\n\t\t\tfound[e] = struct{}{}\n\t\t}\n\t}\n\treturn found.objects(), nil\n"),
		KilledBy: "look-ups-do-not-search",
		Verdict:  verdict.WrongAnswer,
	},
}

// refusals are mistakes about what must fail, and how.
var refusals = []conform.Fault{
	{
		Name:     "unknown-index-is-empty",
		Mistake:  "An index that does not exist is taken for one without objects.",
		File:     reading,
		Edits:    conform.Swap("\t\treturn nil, fmt.Errorf(\"there is no index %q\", name)\n", "\t\treturn newIndex[T](name, func(T) ([]string, error) { return nil, fmt.Errorf(\"nothing\") }), nil\n"),
		KilledBy: "unknown-index-is-an-error",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "new-index-starts-empty",
		Mistake:  "A new index knows only what is written after it was added.",
		File:     writing,
		Edits:    conform.Swap("build(name, values, x.items)", "build(name, values, nil)"),
		KilledBy: "new-indices-know-the-old-objects",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "conflict-overwrites",
		Mistake:  "A new index takes the place of an old one with the same name.",
		File:     writing,
		Edits:    conform.Swap("\t\tif x.indices[name] != nil {\n\t\t\treturn fmt.Errorf(\"there is an index %q already\", name)\n\t\t}\n", ""),
		KilledBy: "name-conflicts-add-nothing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "conflict-found-half-way",
		Mistake:  "Indices are added one by one until one of them is refused; those before it stay.",
		File:     writing,
		Edits:    conform.Swap("\t\tadded[name] = in\n", "\t\tadded[name] = in\n\t\tx.indices[name] = in\n"),
		KilledBy: "name-conflicts-add-nothing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "stored-before-indexed",
		Mistake:  "The object is stored first; if an IndexFunc then fails, it is stored and not indexed.",
		File:     writing,
		Edits:    conform.Swap("\tif err != nil {\n\t\treturn err\n\t}\n\tif !exists {\n\t\te = ", "\tif err != nil {\n\t\tif exists {\n\t\t\te.obj = obj\n\t\t}\n\t\treturn err\n\t}\n\tif !exists {\n\t\te = "),
		KilledBy: "failing-index-func-changes-nothing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "indexed-one-by-one",
		Mistake:  "Each index is changed as soon as its IndexFunc has spoken; the next one may fail.",
		File:     writing,
		Edits:    conform.Swap("\t\t\troom = append(room, move[T]{in, from, to})\n", "\t\t\tm := move[T]{in, from, to}\n\t\t\troom = append(room, m)\n\t\t\tif e != nil {\n\t\t\t\tm.carryOut(e)\n\t\t\t}\n"),
		KilledBy: "failing-index-func-changes-nothing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "index-func-must-not-fail",
		Mistake:  "A failing IndexFunc is taken for a bug that should end the process, as upstream does.",
		File:     writing,
		Edits:    conform.Swap("\t\treturn nil, fmt.Errorf(\"index %q of %s: %w\", in.name, kit.Key(obj), err)\n", "\t\tpanic(fmt.Errorf(\"index %q of %s: %w\", in.name, kit.Key(obj), err))\n"),
		KilledBy: "failing-index-func-changes-nothing",
		Verdict:  verdict.Panic,
	},
}

// sharing are mistakes about goroutines, and about memory that two hold.
var sharing = []conform.Fault{
	{
		Name:    "index-handed-out",
		Mistake: "ByIndex remembers its last result and returns it again while nothing was written, to spare the copy.",
		File:    reading,
		Edits: []conform.Edit{
			{Old: "// objects copies the objects of a set.", New: "// answers are results that were given out before.\nvar answers sync.Map\n\n// objects copies the objects of a set."},
			{Old: "\treturn in.sets[indexedValue].objects(), nil\n", New: `	type question struct {
		in    *index[T]
		value string
	}
	fresh := in.sets[indexedValue].objects()
	given, ok := answers.Load(question{in, indexedValue})
	if ok && len(given.([]T)) == len(fresh) {
		return given.([]T), nil
	}
	answers.Store(question{in, indexedValue}, fresh)
	return fresh, nil
`},
			{Old: "\t\"slices\"\n", New: "\t\"slices\"\n\t\"sync\"\n"},
		},
		KilledBy: "slices-and-maps-are-the-callers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "callers-map-kept",
		Mistake: "New keeps the map of index functions that it was given, and AddIndexers writes into it.",
		File:    writing,
		Edits: []conform.Edit{
			{Old: "\tindices map[string]*index[T]\n}", New: "\tindices map[string]*index[T]\n\tfuncs   map[string]kit.IndexFunc[T]\n}"},
			{Old: "\t\tindices: make(map[string]*index[T], len(indexers)),\n", New: "\t\tindices: make(map[string]*index[T], len(indexers)),\n\t\tfuncs:   indexers,\n"},
			{Old: "\tmaps.Copy(x.indices, added)\n", New: "\tmaps.Copy(x.indices, added)\n\tif x.funcs != nil {\n\t\tmaps.Copy(x.funcs, newIndexers)\n\t}\n"},
		},
		KilledBy: "slices-and-maps-are-the-callers",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "list-without-the-lock",
		Mistake:  "List only reads, so it takes no lock.",
		File:     reading,
		Edits:    conform.Swap("func (x *Indexer[T]) List() []T {\n\tx.mu.RLock()\n\tdefer x.mu.RUnlock()\n", "func (x *Indexer[T]) List() []T {\n"),
		KilledBy: "everybody-at-once",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "values-without-the-lock",
		Mistake:  "ListIndexFuncValues is for debugging, so it takes no lock.",
		File:     reading,
		Edits:    conform.Swap("func (x *Indexer[T]) ListIndexFuncValues(indexName string) []string {\n\tx.mu.RLock()\n\tdefer x.mu.RUnlock()\n", "func (x *Indexer[T]) ListIndexFuncValues(indexName string) []string {\n"),
		KilledBy: "everybody-at-once",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "writes-under-the-read-lock",
		Mistake:  "Update takes the read lock: the maps are looked at there, too.",
		File:     writing,
		Edits:    conform.Swap("\tx.mu.Lock()\n\tdefer x.mu.Unlock()\n\te, exists := x.items[key]\n\tvar room [4]move[T]\n\tmoves, err := x.moves", "\tx.mu.RLock()\n\tdefer x.mu.RUnlock()\n\te, exists := x.items[key]\n\tvar room [4]move[T]\n\tmoves, err := x.moves"),
		KilledBy: "everybody-at-once",
		Verdict:  verdict.DataRace,
	},
	{
		Name:     "indexed-a-moment-later",
		Mistake:  "The lock is given back between the object and its indices, to let readers in.",
		File:     writing,
		Edits:    conform.Swap("\te.obj = obj\n", "\te.obj = obj\n\tx.mu.Unlock()\n\tx.mu.Lock()\n"),
		KilledBy: "writes-are-one-step",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "keys-then-objects",
		Mistake: "ByIndex finds the entries under one read lock and fetches the objects under another; in between they change.",
		File:    reading,
		Edits: conform.Swap("\treturn in.sets[indexedValue].objects(), nil\n", `	keys := make([]string, 0, len(in.sets[indexedValue]))
	for e := range in.sets[indexedValue] {
		keys = append(keys, e.key)
	}
	x.mu.RUnlock()
	x.mu.RLock()
	list := make([]T, 0, len(keys))
	for _, key := range keys {
		if e, ok := x.items[key]; ok {
			list = append(list, e.obj)
		}
	}
	return list, nil
`),
		KilledBy: "writes-are-one-step",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "replaced-one-by-one",
		Mistake:  "Replace empties the indexer and then adds the objects of the list, each under its own lock.",
		File:     writing,
		Edits:    conform.Swap("\tx.items, x.indices = items, indices\n", "\tx.items = make(map[string]*entry[T], len(items))\n\tfor name, in := range x.indices {\n\t\tx.indices[name] = newIndex(name, in.values)\n\t}\n\tfor _, e := range items {\n\t\tx.mu.Unlock()\n\t\t_ = x.Update(e.obj)\n\t\tx.mu.Lock()\n\t}\n"),
		KilledBy: "replace-is-one-step",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "same-version-same-object",
		Mistake:  "An update with the resource version that is stored is taken for no change, and not looked at.",
		File:     writing,
		Edits:    conform.Swap("\tmoves, err := x.moves(room[:0], e, obj)\n", "\tif exists && e.obj.GetResourceVersion() == obj.GetResourceVersion() {\n\t\treturn nil\n\t}\n\tmoves, err := x.moves(room[:0], e, obj)\n"),
		KilledBy: "update-moves-the-object",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "values-sorted-in-place",
		Mistake:  "The values are sorted to compare them, in the slice that the IndexFunc returned, which may be a part of the object.",
		File:     writing,
		Edits:    conform.Swap("\t\tif !slices.Equal(from, to) {", "\t\tslices.Sort(from)\n\t\tslices.Sort(to)\n\t\tif !slices.Equal(from, to) {"),
		KilledBy: "updates-look-at-all-values",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:    "index-built-under-the-read-lock",
		Mistake: "AddIndexers builds under RLock and takes Lock only to put the index in place: what is written in between is never in it.",
		File:    writing,
		Edits: []conform.Edit{
			{Old: "\tx.mu.Lock()\n\tdefer x.mu.Unlock()\n\tadded :=", New: "\tx.mu.RLock()\n\tunlock := x.mu.RUnlock\n\tdefer func() { unlock() }()\n\tadded :="},
			{Old: "\tmaps.Copy(x.indices, added)\n", New: "\tx.mu.RUnlock()\n\tx.mu.Lock()\n\tunlock = x.mu.Unlock\n\tmaps.Copy(x.indices, added)\n"},
		},
		KilledBy: "new-indices-know-the-old-objects",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "delete-asks-the-given",
		Mistake:  "Delete asks the IndexFuncs about the object it is given, and fails where one of them does.",
		File:     writing,
		Edits:    conform.Swap("\tvar room [4]move[T]\n\tmoves, err := x.departures(", "\tif _, err := x.moves(nil, nil, obj); err != nil {\n\t\treturn err\n\t}\n\tvar room [4]move[T]\n\tmoves, err := x.departures("),
		KilledBy: "failing-index-func-changes-nothing",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "index-in-many-locks",
		Mistake:  "Index takes the lock anew for each value: an object that moves from one to another in between is not found.",
		File:     reading,
		Edits:    conform.Swap("\t\tmaps.Copy(union, in.sets[value])\n", "\t\tx.mu.RUnlock()\n\t\tx.mu.RLock()\n\t\tmaps.Copy(union, in.sets[value])\n"),
		KilledBy: "writes-are-one-step",
		Verdict:  verdict.WrongAnswer,
	},
	{
		Name:     "old-read-under-an-earlier-lock",
		Mistake:  "What an update has to take out of the indices is computed under RLock, and done under Lock: another update comes in between.",
		File:     writing,
		Edits:    conform.Swap("\tx.mu.Lock()\n\tdefer x.mu.Unlock()\n\te, exists := x.items[key]\n\tvar room [4]move[T]\n\tmoves, err := x.moves(room[:0], e, obj)\n", "\tx.mu.RLock()\n\te, exists := x.items[key]\n\tvar room [4]move[T]\n\tmoves, err := x.moves(room[:0], e, obj)\n\tx.mu.RUnlock()\n\tx.mu.Lock()\n\tdefer x.mu.Unlock()\n"),
		KilledBy: "writes-are-one-step",
		Verdict:  verdict.WrongAnswer,
	},
}
