package hostile

// broken students mean no harm.
var broken = []Submission{
	{Name: "bad-stub-unchanged", About: "the stub as it was handed out", Want: "fails not-implemented", files: gather(stub)},
	{Name: "bad-compile", About: "a type error", Want: "compile-error", files: edited("limit = len(tasks)\n", "limit = \"all\"\n")},
	{Name: "bad-unused", About: "an import that is not used", Want: "compile-error", files: edited("\t\"sync\"\n)", "\t\"sync\"\n\t\"time\"\n)")},
	{Name: "bad-syntax", About: "a missing brace", Want: "compile-error", files: edited("\treturn task(ctx)\n}", "\treturn task(ctx)\n")},
	{Name: "bad-api", About: "Gather with another signature", Want: "forbidden api", files: edited("Gather[T any](ctx context.Context, limit int, tasks", "Gather[T any](limit int, ctx context.Context, tasks")},
	{Name: "bad-api-gone", About: "Gather under another name", Want: "forbidden api", files: edited("func Gather[T any]", "func GatherAll[T any]")},
	{Name: "bad-empty-file", About: "a file of no bytes", Want: "compile-error", files: gather("")},
	{Name: "bad-nul", About: "a NUL in the source", Want: "forbidden encoding", files: edited("// acquire takes", "// \x00 acquire takes")},
	{Name: "bad-bidi", About: "text that reads other than it is", Want: "forbidden encoding", files: edited("// acquire takes", "// \u202e acquire takes")},
	{Name: "bad-latin1", About: "saved in another encoding", Want: "forbidden encoding", files: edited("// acquire takes", "// acqu\xefre takes")},
	{Name: "bad-utf16", About: "saved as UTF-16", Want: "forbidden encoding", pack: func(w *Workshop) (string, []byte) {
		return ".zip", zipOf(entry{name: "gather.go", text: utf16(w.Reference)})
	}},
	{Name: "bad-html", About: "saved as a web page", Want: "compile-error", files: gather("<!DOCTYPE html>\n<html><pre>package goroutines</pre></html>\n")},
	{Name: "bad-conflict", About: "left with git's conflict marks", Want: "compile-error", files: edited("// acquire takes", "<<<<<<< HEAD\n=======\n>>>>>>> main\n// acquire takes")},
	{Name: "bad-race", About: "a data race", Want: "fails data-race", files: edited("results := make([]T, len(tasks))", "results := make([]T, 0, len(tasks))",
		"results[i] = value", "results = append(results, value)", "for i, task := range tasks", "for _, task := range tasks")},
	{Name: "bad-panic", About: "a write to a nil map", Want: "fails panic", files: lying("", "", "\tvar m map[int]int\n\tm[len(tasks)] = 1")},
	{Name: "bad-deadlock", About: "locks twice", Want: "fails deadlock", files: edited("\tfail := func(err error) {\n", "\tvar mu sync.Mutex\n\tfail := func(err error) {\n\t\tmu.Lock()\n\t\tmu.Lock()\n")},
	{Name: "bad-leak", About: "returns before its goroutines have", Want: "fails goroutine-leak wrong-answer panic data-race", files: edited("\twg.Wait()\n", "\tgo func() { wg.Wait(); select {} }()\n\twg.Wait()\n")},
	{Name: "bad-serial", About: "runs one after the other", Want: "fails deadlock", files: edited("wg.Go(func() {", "wg.Add(1)\n\t\tfunc(f func()) { f(); wg.Done() }(func() {")},
	{Name: "bad-limit", About: "keeps no limit", Want: "fails wrong-answer", files: edited("defer func() { <-slots }()", "<-slots")},
}
