package upstream

import (
	"flag"
	"os"
	"testing"

	"github.com/go-logr/logr"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/klog/v2"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
)

// TestMain readies the libraries for bubbles and for silence.
//
// Of apimachinery's handlers of errors that nobody returns, the second sleeps for
// what is left of a millisecond since the last error. That last moment stands in
// a package variable, by the real clock; a bubble's clock is decades away from it,
// and so the handler would sleep for decades.
func TestMain(m *testing.M) {
	flag.Parse()
	utilruntime.ErrorHandlers = nil
	klog.SetLogger(logr.Discard())
	ctrllog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}
