package hostile

// runs reach for the host while they run. Here the gate refuses their imports; that
// the sandbox would hold them too is tested where the sandbox is.
var runs = []Submission{
	{Name: "r-network", About: "sends what it sees to a listener on the host", Want: "forbidden import", files: importing(`"net"`, "c, _ := net.Dial(\"tcp\", \"{{listener}}\"); c.Write([]byte(\"x\"))")},
	{Name: "r-http", About: "the same over HTTP", Want: "forbidden import", files: importing(`"net/http"`, "http.Get(\"http://{{listener}}\")")},
	{Name: "r-exec-solution", About: "copies the reference over its own file for the next time", Want: "forbidden import", files: importing(`"os/exec"`, "exec.Command(\"cp\", \"x\", \"{{victim}}\").Run()")},
	{Name: "r-child-holds-stdout", About: "a child that keeps the pipe open", Want: "forbidden import", files: importing(`"os/exec"`, "exec.Command(\"sleep\", \"9999\").Start()")},
	{Name: "r-fork-many", About: "starts children without end", Want: "forbidden import", files: importing(`"syscall"`, "for { syscall.ForkExec(\"/bin/sleep\", []string{\"sleep\", \"9999\"}, nil) }")},
	{Name: "r-kill-parent", About: "kills the grader", Want: "forbidden import", files: importing(`"syscall"`, "syscall.Kill(syscall.Getppid(), syscall.SIGKILL)")},
	{Name: "r-read-hidden", About: "reads the hidden tests from the disk", Want: "forbidden import", files: importing(`"os"`, "b, _ := os.ReadFile(\"{{victim}}\"); os.Stdout.Write(b)")},
	{Name: "r-poison-gocache", About: "writes into the build cache", Want: "forbidden import", files: importing(`"os"`, "os.WriteFile(\"{{victim}}\", nil, 0)")},
	{Name: "r-self-exe", About: "reads its own program", Want: "forbidden import", files: importing(`"os"`, "os.ReadFile(\"/proc/self/exe\")")},
	{Name: "r-buildinfo", About: "prints how it was built", Want: "forbidden import", files: edited("debug.Stack()}", "debug.Stack()}\n\t\t\tfmt.Println(debug.ReadBuildInfo())")},
	{Name: "r-gc-off", About: "lifts the memory limit", Want: "forbidden import", files: edited("debug.Stack()}", "debug.Stack()}\n\t\t\tdebug.SetMemoryLimit(1 << 60)")},
	{Name: "r-flags", About: "changes the flags of the program", Want: "forbidden import", files: importing(`"flag"`, "flag.Set(\"test.run\", \"none\")")},
	{Name: "r-testing", About: "talks to the test runner", Want: "forbidden import", files: importing(`"testing"`, "testing.Init()")},
	{Name: "r-reflect", About: "opens what is closed", Want: "forbidden import", files: importing(`"reflect"`, "_ = reflect.ValueOf(1)")},

	{Name: "r-output-flood", About: "prints without end", Want: "fails output-flood", files: lying("", "", once+"\tfor {\n\t\tfmt.Println(\"flood flood flood flood flood flood flood flood\")\n\t}")},
	{Name: "r-memory", About: "takes all memory", Want: "fails out-of-memory timeout", Unsafe: true, files: lying("", "var hoard [][]byte\n", once+"\tfor {\n\t\thoard = append(hoard, make([]byte, 64<<20))\n\t\tfor i := range hoard[len(hoard)-1] {\n\t\t\thoard[len(hoard)-1][i] = 1\n\t\t}\n\t}")},
	{Name: "r-one-allocation", About: "asks for a petabyte", Want: "fails panic out-of-memory", files: lying("", "", "\tn := 1 << 50\n\tfmt.Print(len(make([]byte, n)))")},
	{Name: "r-goroutine-bomb", About: "starts goroutines without end", Want: "fails out-of-memory timeout goroutine-leak incomplete", Unsafe: true, files: lying("", "", once+"\tfor {\n\t\tgo func() { select {} }()\n\t}")},
	{Name: "r-stack-overflow", About: "recurses without end", Want: "fails panic out-of-memory timeout", Unsafe: true, files: lying("", "func down(n int) int { return down(n+1) + 1 }\n", once+"\tfmt.Print(down(0))")},
	{Name: "r-spin", About: "never ends, and uses a processor", Want: "fails timeout", files: lying("", "", once+"\tfor {\n\t}")},
	{Name: "r-sleep", About: "never ends, and uses none", Want: "fails timeout", files: lying("\t\"time\"\n", "", awake+"\tfor {\n\t\ttime.Sleep(time.Hour)\n\t}")},
	{Name: "r-block", About: "waits for what never comes", Want: "fails deadlock", files: lying("", "", "\tselect {}")},
}

// once keeps what follows to one case of the suite: that shows as much as all of them
// do, and takes a class's time once.
const once = "\tif len(tasks) != 9 {\n\t\treturn nil, nil\n\t}\n"

// awake keeps what follows to cases on the real clock, by the limits that they have.
const awake = "\tif limit != 0 || len(tasks) != 8 {\n\t\treturn nil, nil\n\t}\n"
