package hostile

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io/fs"
	"strings"
	"time"
)

// entry is one entry of an archive, zip or tar.
type entry struct {
	name string
	text string
	mode fs.FileMode // zip: the kind of file
	kind byte        // tar: the type flag
	link string
}

// must panics: writers to memory do not fail, and the table is ours.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

var submitted = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func zipOf(entries ...entry) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: submitted}
		if e.mode != 0 {
			h.SetMode(e.mode)
		}
		w, err := z.CreateHeader(h)
		must(err)
		_, err = w.Write([]byte(e.text))
		must(err)
	}
	must(z.Close())
	return b.Bytes()
}

func tarOf(entries ...entry) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: 0o644, Size: int64(len(e.text)), ModTime: submitted, Typeflag: e.kind, Linkname: e.link}
		if strings.HasSuffix(e.name, "/") {
			h.Mode = 0o755
		}
		must(w.WriteHeader(h))
		_, err := w.Write([]byte(e.text))
		must(err)
	}
	must(w.Close())
	return b.Bytes()
}

func gzipOf(text []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	must(err)
	_, err = w.Write(text)
	must(err)
	must(w.Close())
	return b.Bytes()
}

// patched changes a field of the first entry of a zip's table of contents.
func patched(z []byte, offset int, value any) []byte {
	at := bytes.Index(z, []byte("PK\x01\x02"))
	var b bytes.Buffer
	must(binary.Write(&b, binary.LittleEndian, value))
	copy(z[at+offset:], b.Bytes())
	return z
}

// Offsets in an entry of the table of contents (APPNOTE 4.3.12).
const (
	flagsAt        = 8
	uncompressedAt = 24
)

// bombed is a tar.gz of a file of 1.2 GiB of zeros, which takes a megabyte: a gzip may
// have many members, and here all but the first are the same.
func bombed(w *Workshop) []byte {
	const member, members = 16 << 20, 77
	var head bytes.Buffer
	t := tar.NewWriter(&head)
	must(t.WriteHeader(&tar.Header{Name: "zeros", Mode: 0o644, Size: member * members}))
	zeros := gzipOf(make([]byte, member))
	out := gzipOf(head.Bytes())
	for range members {
		out = append(out, zeros...)
	}
	return append(out, gzipOf(tarOf(entry{name: "gather.go", text: w.Reference}))...)
}

func crlf(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }

func utf16(text string) string {
	var b bytes.Buffer
	must(binary.Write(&b, binary.LittleEndian, uint16(0xfeff)))
	for _, r := range text {
		must(binary.Write(&b, binary.LittleEndian, uint16(r)))
	}
	return b.String()
}
