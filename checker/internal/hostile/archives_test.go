package hostile

import (
	"archive/tar"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func answer(w *Workshop) entry { return entry{name: "gather.go", text: w.Reference} }

// zipWith is a zip of one bad entry and a right answer.
func zipWith(bad entry) func(*Workshop) (string, []byte) {
	return func(w *Workshop) (string, []byte) {
		bad.text = w.expand(bad.text)
		return ".zip", zipOf(bad, answer(w))
	}
}

func tarWith(bad ...entry) func(*Workshop) (string, []byte) {
	return func(w *Workshop) (string, []byte) {
		var all []entry
		for _, e := range bad {
			e.link, e.text = w.expand(e.link), w.expand(e.text)
			all = append(all, e)
		}
		return ".tar", tarOf(append(all, answer(w))...)
	}
}

// archives are refused as they are read, and nothing of them reaches the disk.
var archives = []Submission{
	{Name: "a-zip-absolute", About: "an absolute path", Want: "rejected path", pack: zipWith(entry{name: "/tmp/evil"})},
	{Name: "a-zip-slip", About: "a path that leaves the archive", Want: "rejected path", pack: zipWith(entry{name: "../../solutions/01-goroutines/gather.go", text: stub})},
	{Name: "a-zip-slip-inside", About: "the same, by a detour", Want: "rejected path", pack: zipWith(entry{name: "labs/../../gather.go", text: stub})},
	{Name: "a-zip-backslash", About: "Windows separators", Want: "rejected path", pack: zipWith(entry{name: `..\..\evil`})},
	{Name: "a-zip-drive", About: "a drive letter", Want: "rejected path", pack: zipWith(entry{name: "C:/evil"})},
	{Name: "a-zip-nul", About: "a NUL in a name", Want: "rejected path", pack: zipWith(entry{name: "gather.go\x00.txt"})},
	{Name: "a-zip-symlink", About: "the answer is a link to the solution", Want: "rejected irregular", pack: zipWith(entry{name: "a/gather.go", text: "../../../solutions/01-goroutines/gather.go", mode: fs.ModeSymlink | 0o777})},
	{Name: "a-zip-symlink-dir", About: "a folder is a link to the host", Want: "rejected irregular", pack: zipWith(entry{name: "labs", text: "/tmp", mode: fs.ModeSymlink | 0o777})},
	{Name: "a-zip-device", About: "a device", Want: "rejected irregular", pack: zipWith(entry{name: "zero", mode: fs.ModeDevice | fs.ModeCharDevice | 0o666})},
	{Name: "a-zip-bomb", About: "the answer inflates to 64 MiB", Want: "rejected size", pack: func(*Workshop) (string, []byte) {
		return ".zip", zipOf(entry{name: "gather.go", text: strings.Repeat(" ", 64<<20)})
	}},
	{Name: "a-zip-promise", About: "an entry that says it is 4 GiB", Want: "rejected size", pack: func(w *Workshop) (string, []byte) {
		return ".zip", patched(zipOf(entry{name: "big"}, answer(w)), uncompressedAt, uint32(0xfffffffe))
	}},
	{Name: "a-zip-lying-size", About: "the answer says it is 10 bytes", Want: "rejected corrupt", pack: func(w *Workshop) (string, []byte) {
		return ".zip", patched(zipOf(answer(w)), uncompressedAt, uint32(10))
	}},
	{Name: "a-zip-truncated", About: "cut in half", Want: "rejected corrupt", pack: func(w *Workshop) (string, []byte) {
		z := zipOf(answer(w))
		return ".zip", z[:len(z)/2]
	}},
	{Name: "a-zip-broken-data", About: "bytes of the answer flipped", Want: "rejected corrupt", pack: func(w *Workshop) (string, []byte) {
		z := zipOf(answer(w))
		for i := 200; i < 260; i++ {
			z[i] ^= 0xff
		}
		return ".zip", z
	}},
	{Name: "a-zip-encrypted", About: "needs a password", Want: "rejected encrypted", pack: func(w *Workshop) (string, []byte) {
		return ".zip", patched(zipOf(answer(w)), flagsAt, uint16(1))
	}},
	{Name: "a-zip-duplicate", About: "the answer twice: which one is graded?", Want: "rejected duplicate", pack: zipWith(entry{name: "gather.go", text: stub})},
	{Name: "a-zip-case", About: "the answer twice, but for capitals", Want: "rejected duplicate", pack: zipWith(entry{name: "Gather.go", text: stub})},
	{Name: "a-zip-deep", About: "sixty folders", Want: "rejected depth", pack: zipWith(entry{name: strings.Repeat("d/", 60) + "gather.go"})},
	{Name: "a-tar-many", About: "sixty thousand files", Want: "rejected count", pack: func(w *Workshop) (string, []byte) {
		many := make([]entry, 60_000)
		for i := range many {
			many[i].name = "x"
		}
		return ".tgz", gzipOf(tarOf(append(many, answer(w))...))
	}},
	{Name: "a-zip-many", About: "a table of contents of ten megabytes", Want: "rejected size", pack: func(w *Workshop) (string, []byte) {
		many := make([]entry, 60_000)
		for i := range many {
			many[i].name = strings.Repeat("x", 120)
		}
		return ".zip", zipOf(append(many, answer(w))...)
	}},
	{Name: "a-tgz-bomb", About: "1.2 GiB of zeros in a megabyte", Want: "rejected size", pack: func(w *Workshop) (string, []byte) { return ".tgz", bombed(w) }},
	{Name: "a-tar-symlink-dir", About: "a link to a folder of the host, then a file through it", Want: "rejected irregular",
		pack: tarWith(entry{name: "d", kind: tar.TypeSymlink, link: victim}, entry{name: "d/evil", text: "x"})},
	{Name: "a-tar-hardlink", About: "the answer is a hard link to a file of the host", Want: "rejected irregular", pack: tarWith(entry{name: "a/gather.go", kind: tar.TypeLink, link: victim})},
	{Name: "a-tar-fifo", About: "a pipe that blocks who opens it", Want: "rejected irregular", pack: tarWith(entry{name: "a/gather.go", kind: tar.TypeFifo})},
	{Name: "a-tar-device", About: "a block device", Want: "rejected irregular", pack: tarWith(entry{name: "a/gather.go", kind: tar.TypeBlock})},
	{Name: "a-tar-slip", About: "a path that leaves the archive", Want: "rejected path", pack: tarWith(entry{name: "../evil"})},
	{Name: "a-tar-truncated", About: "cut after its first file", Want: "rejected corrupt", pack: func(w *Workshop) (string, []byte) {
		t := tarOf(answer(w), entry{name: "more", text: strings.Repeat("x", 4096)})
		return ".tar", t[:len(t)-3072]
	}},
	{Name: "a-empty", About: "a file of no bytes", Want: "rejected corrupt", pack: func(*Workshop) (string, []byte) { return ".zip", nil }},
	{Name: "a-login-page", About: "what an LMS sends who is not logged in", Want: "rejected corrupt", pack: func(*Workshop) (string, []byte) {
		return ".zip", []byte("<!DOCTYPE html><title>Log in</title>")
	}},
	{Name: "a-rar", About: "another format under the name of zip", Want: "rejected format", pack: func(*Workshop) (string, []byte) { return ".zip", []byte("Rar!\x1a\x07\x01\x00") }},
}

// folders are refused lab by lab, and nothing that a link means is opened.
var folders = []Submission{
	{Name: "a-dir-isdir", About: "the answer is a folder", Want: "rejected irregular", make: func(_ *Workshop, dir string) error {
		return os.MkdirAll(filepath.Join(dir, "gather.go"), 0o755)
	}},
	{Name: "a-ambiguous", About: "two answers, and no telling which", Want: "rejected ambiguous", files: map[string]string{"a/gather.go": reference, "b/gather.go": reference + "\n"}},
	{Name: "a-packed-bomb", About: "a folder with a bomb for an archive in it", Want: "rejected size", make: func(w *Workshop, dir string) error {
		must(os.MkdirAll(dir, 0o755))
		return os.WriteFile(filepath.Join(dir, "lab.tgz"), bombed(w), 0o644)
	}},
	{Name: "b-symlink-secret", About: "the answer is a link to a file of the host", Want: "rejected irregular", make: func(w *Workshop, dir string) error {
		must(os.MkdirAll(dir, 0o755))
		return os.Symlink(w.Victim, filepath.Join(dir, "gather.go"))
	}},
	{Name: "b-symlink-dir", About: "the lab's folder is a link", Want: "rejected irregular", make: func(w *Workshop, dir string) error {
		must(os.MkdirAll(filepath.Join(dir, "labs"), 0o755))
		return os.Symlink(filepath.Dir(w.Victim), filepath.Join(dir, "labs", "01-goroutines"))
	}},
	{Name: "b-symlink-student", About: "all of it is a link to another student", Want: "rejected irregular", make: func(_ *Workshop, dir string) error {
		return os.Symlink("ok-reference", dir)
	}},
	{Name: "bad-other-name", About: "the file has a name of its own", Want: "missing", files: map[string]string{"main.go": reference}},
	{Name: "bad-nothing", About: "an empty folder", Want: "missing", make: func(_ *Workshop, dir string) error { return os.MkdirAll(dir, 0o755) }},
}
