package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/controllerbook/controllerbook/checker/internal/catalog"
	"github.com/controllerbook/controllerbook/checker/internal/pins"
)

// fixPins writes the pins of labs.
func fixPins(ctx context.Context, root string, labs []catalog.Lab) error {
	texts, err := pinsOf(ctx, root, labs)
	if err != nil {
		return err
	}
	for i, s := range labs {
		if err := os.WriteFile(pinsFile(root, s), texts[i], 0o644); err != nil {
			return fmt.Errorf("write the pins of %s: %w", s.Dir, err)
		}
	}
	return nil
}

// pinProblems says which labs have pins that are not what their stubs declare.
func pinProblems(ctx context.Context, root string, labs []catalog.Lab) ([]string, error) {
	texts, err := pinsOf(ctx, root, labs)
	if err != nil {
		return nil, err
	}
	var problems []string
	for i, s := range labs {
		if have, err := os.ReadFile(pinsFile(root, s)); err != nil || !bytes.Equal(have, texts[i]) {
			problems = append(problems, s.Dir+": "+catalog.PinsFile+" is not what the stub declares: run checker verify --fix")
		}
	}
	return problems, nil
}

func pinsOf(ctx context.Context, root string, labs []catalog.Lab) ([][]byte, error) {
	var of []pins.Lab
	for _, s := range labs {
		of = append(of, pins.Lab{
			Package: s.Package,
			Stub:    catalog.Module + "/checker/internal/stubs/" + s.Dir,
			Bridged: catalog.Module + "/" + s.BridgedPath(),
		})
	}
	return pins.Generate(ctx, root, of)
}

func pinsFile(root string, s catalog.Lab) string {
	return filepath.Join(root, filepath.FromSlash(s.PinsDir()), catalog.PinsFile)
}
