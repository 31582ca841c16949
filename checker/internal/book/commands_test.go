package book

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/cli"
)

// elsewhere are programs that shell listings may call and that are not ours to check.
var elsewhere = map[string]bool{
	"kubectl": true, "git": true, "nix": true, "docker": true, "podman": true, "kind": true, "sbatch": true, "cat": true, "ls": true,
	"tar": true, "cp": true, "mkdir": true, "head": true, "tail": true, "grep": true, "jq": true, "sed": true, "export": true, "source": true,
	"python3": true, "unzip": true, "zip": true, "diff": true, "rm": true, "mv": true, "open": true, "less": true, "echo": true, "column": true,
}

// TestCommandsExist: what the book tells a reader to type is a command, with flags, targets
// and paths that exist.
func TestCommandsExist(t *testing.T) {
	checked, skipped := 0, 0
	for _, p := range pages(t) {
		commands, needed := p.commands()
		skipped += len(needed)
		for _, command := range commands {
			for _, words := range split(command) {
				checked++
				if err := check(words); err != nil {
					t.Errorf("%s: %s: %v", p.name, strings.TrimSpace(command), err)
				}
			}
		}
	}
	t.Logf("%d commands, and %d that need what is not here", checked, skipped)
	require.NotZero(t, checked)
}

func TestCheckFindsMistakes(t *testing.T) {
	for command, want := range map[string]string{
		"checker run --nosuchflag":          "unknown flag",
		"checker runs":                      "unknown command",
		"checker run 24":                    "no lab 24",
		"make lab-99":                       "no lab 99",
		"make everything":                   "no target everything",
		"go test ./checker/internal/nobody": "no such directory",
		"go test -run Nobody ./labs/kit":    "no test",
		"cd nowhere && make test":           "no such directory",
		"frobnicate x":                      "unknown program",
	} {
		var errs []string
		for _, words := range split(command) {
			if err := check(words); err != nil {
				errs = append(errs, err.Error())
			}
		}
		assert.Contains(t, strings.Join(errs, "; "), want, command)
	}
	for _, command := range []string{"checker run 22 --reference 10,14", "checker grade --out", "make lab-1 COUNT=3", "NO_COLOR=1 bin/checker list"} {
		for _, words := range split(command) {
			assert.NoError(t, check(words), command)
		}
	}
}

var (
	comment   = regexp.MustCompile(`(^|\s)#.*$`)
	separator = regexp.MustCompile(`\s*(?:&&|\|\||;|\|)\s*`)
	word      = regexp.MustCompile(`'[^']*'|"[^"]*"|\S+`)
	setting   = regexp.MustCompile(`^[A-Z_]+=`)
)

// split parts a line into its commands, and these into words.
func split(line string) [][]string {
	var all [][]string
	line = strings.ReplaceAll(line, `\|`, " ") // a choice in a table
	quoted := regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllStringFunc(comment.ReplaceAllString(line, ""), func(q string) string {
		return separator.ReplaceAllString(q, "_")
	})
	for _, part := range separator.Split(quoted, -1) {
		words := word.FindAllString(strings.TrimSuffix(part, `\`), -1)
		for len(words) > 0 && setting.MatchString(words[0]) {
			words = words[1:]
		}
		if len(words) > 0 {
			all = append(all, words)
		}
	}
	return all
}

func check(words []string) error {
	name, args := words[0], words[1:]
	switch {
	case name == "make":
		return checkMake(args)
	case name == "checker" || name == "bin/checker" || strings.HasSuffix(name, "/bin/checker"):
		return checkChecker(args)
	case name == "go" && len(args) > 1 && args[0] == "run" && args[1] == "./checker":
		return checkChecker(args[2:])
	case name == "go":
		return checkGo(args)
	case name == "cd":
		if placeholder(args[0]) || strings.HasPrefix(args[0], "..") {
			return nil
		}
		return directory(args[0])
	case name == "curl": // TestProgramsRun runs it
		return nil
	case elsewhere[name]:
		return nil
	}
	return fmt.Errorf("unknown program %s", name)
}

// placeholder says whether a word stands for what a reader puts there.
func placeholder(word string) bool {
	return strings.ContainsAny(word, "…<>$*") || strings.Contains(word, "NN")
}

func directory(path string) error {
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(path))); err != nil {
		return fmt.Errorf("no such directory: %s", path)
	}
	return nil
}

var target = regexp.MustCompile(`(?m)^([a-z][a-z%-]*):`)

func checkMake(args []string) error {
	known := map[string]bool{}
	for _, name := range []string{"Makefile", "checker/internal/handout/files/Makefile"} {
		text, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			return err
		}
		for _, m := range target.FindAllStringSubmatch(string(text), -1) {
			known[m[1]] = true
		}
	}
	for _, arg := range args {
		stem, number, pattern := strings.Cut(arg, "-")
		switch {
		case known[arg] || strings.HasPrefix(arg, "-") || strings.Contains(arg, "="):
		case pattern && known[stem+"-%"]:
			if err := lab(number); err != nil {
				return err
			}
		default:
			return fmt.Errorf("no target %s", arg)
		}
	}
	return nil
}

func lab(number string) error {
	if number == "N" || placeholder(number) {
		return nil
	}
	if _, err := catalog.Find(number); err != nil {
		return fmt.Errorf("no lab %s", number)
	}
	return nil
}

var digits = regexp.MustCompile(`^\d+$`)

// checkChecker has the checker read the command line and print its help: it answers an
// unknown command or flag before that, and does nothing else.
func checkChecker(args []string) error {
	if len(args) == 0 {
		return nil
	}
	for _, arg := range args[1:] {
		if !digits.MatchString(arg) || args[0] == "grade" {
			continue
		}
		if err := lab(arg); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	line := slices.Insert(append([]string{args[0]}, filledIn(args)...), commandWords(args), "--help")
	code := cli.Main(line, cli.Streams{In: strings.NewReader(""), Out: &out, Err: &out})
	if code != 0 && !strings.Contains(out.String(), "needs an argument") { // a flag that prose names
		return fmt.Errorf("the checker says: %s", strings.TrimSpace(out.String()))
	}
	if code == 0 && !strings.Contains(out.String(), "\n  checker "+args[0]) { // the help of the whole
		return fmt.Errorf("unknown command %s", args[0])
	}
	return nil
}

// commandWords is how many words name the command: --help comes behind them, and before a
// flag that would take it for its value.
func commandWords(args []string) int {
	if args[0] == "export" && len(args) > 1 {
		return 2
	}
	return 1
}

// filledIn puts something into the places that a reader fills in.
func filledIn(args []string) []string {
	var all []string
	for i, arg := range args[1:] {
		switch {
		case args[0] == "export" && i == 0 && (placeholder(arg) || arg == "FORMAT"):
			arg = "junit"
		case regexp.MustCompile(`^[A-Z]$`).MatchString(arg):
			arg = "1"
		}
		all = append(all, arg)
	}
	return all
}

func checkGo(args []string) error {
	run, dir := "", ""
	for i, arg := range args {
		switch {
		case placeholder(arg):
			return nil
		case arg == "-run" && i+1 < len(args):
			run = strings.Trim(args[i+1], `'"`)
		case strings.HasPrefix(arg, "./"):
			dir = strings.TrimSuffix(arg, "/...")
			if err := directory(dir); err != nil {
				return directory("checker/upstream/" + dir) // of the nested module
			}
		}
	}
	if run == "" || dir == "" {
		return nil
	}
	return hasTest(dir, strings.Split(run, "/")[0])
}

func hasTest(dir, run string) error {
	matches, err := regexp.Compile(run)
	if err != nil {
		return err
	}
	for _, base := range []string{root, root + "/checker/upstream"} {
		files, err := filepath.Glob(filepath.Join(base, dir, "*_test.go"))
		if err != nil {
			return err
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)\w+)\(`).FindAllStringSubmatch(string(text), -1) {
				if matches.MatchString(m[1]) {
					return nil
				}
			}
		}
	}
	return fmt.Errorf("no test of %s matches -run %s", dir, run)
}
