package tty

import "io"

// Key is a key: the byte that it sends, or one of the names below.
type Key rune

// Keys that are no characters. A terminal in raw mode sends bytes for the first three.
const (
	CtrlC  Key = 0x03
	CtrlD  Key = 0x04
	Escape Key = 0x1b

	Up Key = -iota
	Down
	PageUp
	PageDown
	Home
	End
	Unknown // any other that sends a sequence
)

// sequences are what keys send after ESC and [ or O (xterm, the Linux console, tmux).
var sequences = map[string]Key{
	"A": Up, "B": Down, "5~": PageUp, "6~": PageDown,
	"H": Home, "1~": Home, "7~": Home, "F": End, "4~": End, "8~": End,
}

// read hands on keys until there are no more.
func read(r io.Reader) <-chan Key {
	keys := make(chan Key)
	go func() {
		defer close(keys)
		var d decoder
		buffer := make([]byte, 64)
		for {
			n, err := r.Read(buffer)
			for _, key := range d.decode(buffer[:n]) {
				keys <- key
			}
			if err != nil {
				return
			}
		}
	}()
	return keys
}

// decoder makes keys of bytes. A sequence may come in several reads, but ESC and the byte
// behind it come in one: an ESC at the end is the key.
type decoder struct {
	sequence string // what has come of one
	within   bool
}

func (d *decoder) decode(bytes []byte) (keys []Key) {
	for i := 0; i < len(bytes); i++ {
		b := bytes[i]
		switch {
		case d.within:
			d.sequence += string(rune(b))
			if b >= 0x40 && b <= 0x7e { // the final byte, by ECMA-48 5.4
				keys = append(keys, named(d.sequence))
				*d = decoder{}
			}
		case b == byte(Escape) && i+1 < len(bytes) && (bytes[i+1] == '[' || bytes[i+1] == 'O'):
			d.within = true
			i++
		default:
			keys = append(keys, Key(b))
		}
	}
	return keys
}

func named(sequence string) Key {
	if key, ok := sequences[sequence]; ok {
		return key
	}
	return Unknown
}
