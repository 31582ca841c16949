package operator

import (
	"slices"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// held is the step that ends what is none of our business.
func (v *visit) held() *ending {
	if !slices.Contains(v.db.Finalizers, Finalizer) {
		return over
	}
	return nil
}

// leaveStrangers is the step that lets go where none of ours can exist.
func (v *visit) leaveStrangers() *ending {
	if v.found && !v.ours() {
		return v.letGo()
	}
	return nil
}

// tearDown is the step that has the cloud delete the database, as often as it takes.
func (v *visit) tearDown() *ending {
	err := v.Cloud.DeleteDatabase(v.ctx, CloudName(v.db))
	switch {
	case kit.CloudCodeOf(err) == kit.CloudNotFound:
		return v.letGo()
	case err != nil:
		return v.cloudError(err)
	}
	return v.waits()
}

// letGo takes Finalizer off.
func (v *visit) letGo() *ending {
	v.db.Finalizers = slices.DeleteFunc(v.db.Finalizers, func(f string) bool { return f == Finalizer })
	if _, err := v.Databases.Update(v.ctx, v.db); err != nil && !kit.IsNotFound(err) {
		return v.apiError(err)
	}
	return over
}
