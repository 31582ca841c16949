package gate

import (
	"go/ast"
	"slices"
)

// A variable of another package that holds a pointer can be changed without a word
// about it: p := http.DefaultClient; p.Transport = fake. To forbid such variables would
// fail honest code. So two things are looked for: that the pointer is kept somewhere,
// and that somewhere in the subject a write goes through a pointer that may be the
// same. Either alone is fine.
//
// What this misses: what is written by code of another package that is handed the
// pointer, such as a decoder.

// sharedVariable is such a variable of a package that labs may allow.
type sharedVariable struct {
	typ     string   // that it points to
	fields  []string // by which it can be changed; by *p = … it always can
	methods []string // likewise
}

var shared = map[string]map[string]sharedVariable{
	"time": {"Local": location, "UTC": location},
	"net":  {"DefaultResolver": {typ: "Resolver", fields: []string{"PreferGo", "StrictErrors", "Dial"}}},
	"net/http": {
		"DefaultServeMux": {typ: "ServeMux"},
		"DefaultClient":   {typ: "Client", fields: []string{"Transport", "CheckRedirect"}},
		"DefaultTransport": {
			typ: "Transport",
			fields: []string{
				"Proxy", "DialContext", "Dial", "DialTLSContext", "DialTLS", "TLSClientConfig", "TLSNextProto", "Protocols",
				"OnProxyConnectResponse", "GetProxyConnectHeader", "ProxyConnectHeader",
			},
			methods: []string{"RegisterProtocol"},
		},
	},
}

// location is what time.UTC, time.Local and the Location method point to.
var location = sharedVariable{typ: "Location"}

// zoneReaders are the methods and functions that take a *time.Location and only read it.
var zoneReaders = []string{"In", "Date", "ParseInLocation"}

// alias is a place where a shared variable's pointer is kept.
type alias struct {
	at   ast.Expr
	name string
	of   sharedVariable
}

// checkAliases looks for both halves of a write through a kept pointer.
func (g *inspection) checkAliases() {
	var aliases []alias
	for _, f := range g.files {
		aliases = append(aliases, g.aliases(f)...)
	}
	writes := map[string]ast.Node{} // by name of the variable: its aliases share them
	for _, a := range aliases {
		if _, known := writes[a.name]; !known {
			writes[a.name] = g.reachableWrite(a.of)
		}
		if write := writes[a.name]; write != nil {
			at := g.fset.PositionFor(write.Pos(), false)
			g.add(a.at.Pos(), GlobalWrite, writeHelp,
				"%s belongs to the whole process; it is kept here, and line %d of %s may write through it.",
				a.name, at.Line, at.Filename)
		}
	}
}

// aliases returns the places of a file where a shared pointer is kept, and refuses at
// once the calls that change one in place.
func (g *inspection) aliases(f *file) []alias {
	var found []alias
	ast.PreorderStack(f.syntax, nil, func(n ast.Node, stack []ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		name, of, ok := g.sharedValue(f, e)
		if !ok {
			return true
		}
		use, sel := g.useOf(e, stack)
		if use == kept {
			found = append(found, alias{e, name, of})
		}
		if sel != nil && slices.Contains(of.methods, sel.Sel.Name) {
			g.add(sel.Sel.Pos(), GlobalWrite, writeHelp, "%s of %s changes it for the whole process.", sel.Sel.Name, name)
		}
		return true
	})
	return found
}

// sharedValue recognises a shared variable, and time's Location method, which hands
// out the same pointers.
func (g *inspection) sharedValue(f *file, e ast.Expr) (name string, of sharedVariable, ok bool) {
	if path, member, foreign := g.foreign(f, e); foreign {
		of, ok = shared[path][member]
		return path + "." + member, of, ok
	}
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return "", location, false
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	return "a time's Location", location, ok && sel.Sel.Name == "Location" && !g.methods["Location"]
}

type use int

const (
	read use = iota
	kept
)

// useOf climbs from a shared value to what is done with it. A selection from it is a
// reading; the caller judges the name.
func (g *inspection) useOf(e ast.Expr, stack []ast.Node) (use, *ast.SelectorExpr) {
	child := e
	for _, parent := range slices.Backward(stack) {
		switch parent := parent.(type) {
		case *ast.ParenExpr:
			child = parent
			continue
		case *ast.TypeAssertExpr:
			child = parent
			continue
		case *ast.SelectorExpr:
			return read, parent
		case *ast.StarExpr:
			return read, nil // a copy; as a target it is checkWrites' affair
		case *ast.BinaryExpr:
			return read, nil
		case *ast.CallExpr:
			sel, ok := parent.Fun.(*ast.SelectorExpr)
			if ok && slices.Contains(zoneReaders, sel.Sel.Name) && !g.methods[sel.Sel.Name] {
				return read, nil
			}
		case *ast.AssignStmt:
			if slices.Contains(parent.Lhs, child) {
				return read, nil // a write to the variable itself: checkWrites' affair
			}
		}
		return kept, nil
	}
	return kept, nil
}
