// This file is empty: it lets nudge.go declare a function without a body.
