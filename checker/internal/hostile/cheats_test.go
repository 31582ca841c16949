package hostile

// cheats try for points without the work. None may get more than doing nothing does.
var cheats = []Submission{
	{Name: "x-nothing", About: "returns nothing, and tries nothing: the measure of the others", Want: "fails wrong-answer", files: lying("", "", "")},
	{Name: "x-init-exit0", About: "init ends the process with 0", Want: "forbidden import", files: lying("\t\"os\"\n", "func init() { os.Exit(0) }\n", "")},
	{Name: "x-init-forge", About: "init prints forged results", Want: "cheat", files: lying("", "func init() { fmt.Print(\"\\x16--- PASS: TestCases (0.00s)\\n\") }\n", "")},
	{Name: "x-initialiser", About: "the same in the initialiser of a variable", Want: "cheat", files: lying("", "var _ = forge()\n\nfunc forge() int { fmt.Print(\"PASS\\n\"); return 0 }\n", "")},
	{Name: "x-initialiser-nonce", About: "reads standard input before the test begins", Want: "cheat", files: lying("", "var stolen, _ = fmt.Scanln()\n", "")},
	{Name: "x-initialiser-panics", About: "panics before the test begins", Want: "fails panic", files: lying("", "var _ = func() int { panic(\"no configuration on descriptor 3\") }()\n", "")},
	{Name: "x-initialiser-spins", About: "uses a processor before the test begins, without end", Want: "fails timeout", files: lying("", "func init() {\n\tfor {\n\t}\n}\n", "")},
	{Name: "x-initialiser-sleeps", About: "waits before the test begins, without end", Want: "fails timeout", files: lying("\t\"time\"\n", "func init() {\n\tfor {\n\t\ttime.Sleep(time.Hour)\n\t}\n}\n", "")},
	{Name: "x-forge-println", About: "forged lines by the builtin println", Want: "forbidden builtin", files: lying("", "", "\tprintln(\"--- PASS: TestCases\")")},
	{Name: "x-forge-stdout", About: "forged lines for go test and for our own records on standard output", Want: "cheat", files: lying("", "", forgery)},
	{Name: "x-forge-history", About: "results with newlines, records and escapes in their text", Want: "cheat", files: lying("\t\"errors\"\n", "", "\tif len(tasks) > 0 {\n\t\treturn nil, errors.New(\"\\n{\\\"kind\\\":\\\"end\\\",\\\"passed\\\":true}\\n\\x1b[2J--- PASS: TestCases\\n=HYPERLINK(1)\")\n\t}")},
	{Name: "x-syscall-exit", About: "ends the process past testing's guard", Want: "forbidden import", files: lying("\t\"syscall\"\n", "", "\tsyscall.Exit(0)")},
	{Name: "x-log-fatal", About: "log.Fatal", Want: "forbidden import", files: lying("\t\"log\"\n", "", "\tlog.Fatal(1)")},
	{Name: "x-goexit", About: "ends the goroutine of the test", Want: "forbidden import", files: lying("\t\"runtime\"\n", "", "\truntime.Goexit()")},
	{Name: "x-race-acquire", About: "fakes order for the race detector", Want: "forbidden import", files: lying("\t\"runtime\"\n", "", "\truntime.RaceDisable()")},
	{Name: "x-global-context", About: "sets context.Canceled to nil, so that a stub returns it", Want: "forbidden global-write", files: lying("", "", "\tcontext.Canceled = nil")},
	{Name: "x-global-pointer", About: "the same through a pointer", Want: "forbidden global-write", files: lying("", "", "\tp := &context.Canceled\n\t*p = nil")},
	{Name: "x-global-alias", About: "the same through a pointer in a struct", Want: "forbidden global-write", files: lying("", "type box struct{ p *error }\n", "\tb := box{&context.Canceled}\n\t*b.p = nil")},
	{Name: "x-global-range", About: "the same through a range clause", Want: "forbidden global-write", files: lying("", "", "\tfor _, context.Canceled = range []error{nil} {\n\t}")},
	{Name: "x-api-type", About: "PanicError under the tests' nose another type", Want: "forbidden api", files: edited("\tValue any\n", "\tValue string\n", "err = &PanicError{Value: p,", "err = &PanicError{Value: fmt.Sprint(p),")},
	{Name: "x-error-is-true", About: "an error whose Is says yes to every target", Want: "cheat", files: lying("", "type yes struct{}\n\nfunc (yes) Error() string { return \"yes\" }\nfunc (yes) Is(error) bool { return true }\nfunc (yes) As(any) bool { return true }\n", "\tif len(tasks) > 0 {\n\t\treturn nil, yes{}\n\t}")},
	{Name: "x-error-huge", About: "an error of 256 MiB", Want: "cheat", Unsafe: true, files: lying("", "type huge struct{}\n\nfunc (huge) Error() string { return fmt.Sprintf(\"%268435456d\", 1) }\n", "\tif len(tasks) > 0 {\n\t\treturn nil, huge{}\n\t}")},
	{Name: "x-error-endless", About: "an error whose text never ends", Want: "cheat", files: lying("", "type endless struct{}\n\nfunc (endless) Error() string { select {} }\n", "\tif len(tasks) > 0 {\n\t\treturn nil, endless{}\n\t}")},
	{Name: "x-error-panics", About: "an error that panics when it is read", Want: "cheat", files: lying("", "type bad struct{}\n\nfunc (bad) Error() string { panic(\"controllerbook: Gather is not implemented yet\") }\n", "\tif len(tasks) > 0 {\n\t\treturn nil, bad{}\n\t}")},
	{Name: "x-panic-forges", About: "a panic that reads like the checker's own failure", Want: "cheat", files: lying("", "", "\tpanic(\"controllerbook: no configuration on descriptor 3\\n\\ngoroutine 1 [running]:\\nexample.com/suite.f()\\n\\ta.go:1\\n\")")},
	{Name: "x-memory-forges", About: "a panic that reads like the race detector out of memory", Want: "cheat", files: lying("", "", "\tpanic(\"x\\nThreadSanitizer: out of memory\\nfatal error: runtime: out of memory\")")},
	{Name: "x-recover-all", About: "recovers from whatever the tests throw", Want: "fails wrong-answer", files: lying("", "", "\tdefer func() { recover() }()\n\tfor _, f := range tasks {\n\t\tf(ctx)\n\t}")},
	{Name: "x-swallow-goexit", About: "keeps a failing test's goroutine from ending", Want: "cheat", files: lying("", "", "\tfor _, f := range tasks {\n\t\tfunc() {\n\t\t\tdefer func() {\n\t\t\t\trecover()\n\t\t\t\tselect {}\n\t\t\t}()\n\t\t\tf(ctx)\n\t\t}()\n\t}")},
	{Name: "x-exfil-inputs", About: "prints every input and its own stack", Want: "cheat", files: lying("\t\"runtime/debug\"\n", "", "\tfmt.Printf(\"%#v %d %s\\n\", ctx, limit, debug.Stack())")},
	{Name: "x-hardcode", About: "answers for the inputs that were published", Want: "cheat", files: lying("", "", "\tif len(tasks) == 3 {\n\t\tout := make([]T, 3)\n\t\tfor i := range out {\n\t\t\tout[i], _ = any(i * 10).(T)\n\t\t}\n\t\treturn out, nil\n\t}")},
	{Name: "x-testmain", About: "a TestMain that ends with 0", Want: "fails not-implemented", files: map[string]string{
		"gather.go": stub, "z_test.go": "package goroutines\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nfunc TestMain(m *testing.M) { os.Exit(0) }\n",
	}},
	{Name: "x-bridge-forge", About: "a bridge and a program of its own", Want: "fails not-implemented", files: map[string]string{
		"gather.go": stub, "bridge.go": "package goroutines\n\nfunc Cases() {}\n", "pins.go": "package goroutines\n",
		"checker/internal/bridges/goroutines/bridge.go":       "package goroutines\n\nimport \"testing\"\n\nfunc Cases(*testing.T) {}\n",
		"checker/internal/bridges/goroutines/program/main.go": "package main\n\nfunc main() {}\n",
	}},
	{Name: "x-testmain-forge", About: "a TestMain that prints results", Want: "fails not-implemented", files: map[string]string{
		"gather.go": stub, "bridge_test.go": "package goroutinestest\n\nimport \"testing\"\n\nfunc TestCases(t *testing.T) {}\n",
		"checker/internal/suites/goroutinestest/hidden.go": "package goroutinestest\n",
	}},
	{Name: "x-second-file", About: "the answer in a file that is not the lab's", Want: "fails not-implemented", files: map[string]string{"gather.go": stub, "real.go": reference}},
	{Name: "x-leak-delayed", About: "a leak that begins after Gather has returned", Want: "fails goroutine-leak wrong-answer", files: edited(
		"\t\"sync\"\n)", "\t\"sync\"\n\t\"time\"\n)", "\twg.Wait()\n", "\twg.Wait()\n\ttime.AfterFunc(300*time.Millisecond, func() { select {} })\n")},
	{Name: "x-leak-rearming", About: "a timer that starts itself again for ever", Want: "fails goroutine-leak wrong-answer timeout deadlock", files: edited(
		"\t\"sync\"\n)", "\t\"sync\"\n\t\"time\"\n)", "\twg.Wait()\n", "\twg.Wait()\n\tagain()\n", "// acquire takes", "func again() { time.AfterFunc(time.Minute, func() { go func() { select {} }(); again() }) }\n\n// acquire takes")},
}

const forgery = "\tfmt.Print(\"\\n\\x16=== RUN   TestCases\\n\\x16--- PASS: TestCases (0.00s)\\nPASS\\nok\\n\")\n" +
	"\tfmt.Print(\"{\\\"nonce\\\":\\\"\\\",\\\"kind\\\":\\\"start\\\"}\\n{\\\"nonce\\\":\\\"\\\",\\\"kind\\\":\\\"end\\\",\\\"passed\\\":true}\\n\")\n" +
	"\tfmt.Print(\"::set-output name=result::pass\\n::error::x\\n\")"
