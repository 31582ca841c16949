package pins

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/controllerbook/controllerbook/"

// tree is the labs of the repository.
func tree(t *testing.T) []Lab {
	stubs, err := filepath.Glob("../stubs/*-*")
	require.NoError(t, err)
	require.NotEmpty(t, stubs)
	var labs []Lab
	for _, dir := range stubs {
		name := filepath.Base(dir)
		_, words, _ := strings.Cut(name, "-")
		labs = append(labs, Lab{
			Package: strings.ReplaceAll(words, "-", ""), Stub: module + "checker/internal/stubs/" + name, Bridged: module + "solutions/" + name,
		})
	}
	return labs
}

// TestPinsAreThoseOfTheStubs: "checker verify --fix" has been run since a stub was changed.
func TestPinsAreThoseOfTheStubs(t *testing.T) {
	labs := tree(t)
	texts, err := Generate(t.Context(), "../../..", labs)
	require.NoError(t, err)
	for i, lab := range labs {
		file := filepath.Join("../bridges", lab.Package, "pins.go")
		have, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, string(texts[i]), string(have), "%s is out of date: run checker verify --fix", file)
	}
}
