package operator

import (
	"bytes"
	"maps"

	"github.com/controllerbook/controllerbook/labs/kit"
)

// connect is the step that writes the connection.
func (v *visit) connect() *ending {
	want := map[string][]byte{
		EndpointKey: []byte(v.cloud.Endpoint),
		PasswordKey: v.password.Data[PasswordKey],
	}
	key := kit.Request{Namespace: v.db.Namespace, Name: ConnectionName(v.db)}.String()
	has, exists := v.SecretCache.GetByKey(key)
	if !exists {
		return v.written(v.Secrets.Create(v.ctx, v.newConnection(want)))
	}
	if c := has.ControllerOf(); c == nil || c.UID != v.db.UID {
		return v.stuck(SecretTaken, "the Secret "+has.Name+" is somebody else's")
	}
	if maps.EqualFunc(has.Data, want, bytes.Equal) {
		return nil
	}
	mine := has.DeepCopy()
	mine.Data = want
	return v.written(v.Secrets.Update(v.ctx, mine))
}

func (v *visit) newConnection(data map[string][]byte) *kit.Secret {
	s := kit.Secrets.New()
	s.Namespace, s.Name, s.Data = v.db.Namespace, ConnectionName(v.db), data
	s.OwnerReferences = []kit.OwnerReference{{
		APIVersion: kit.Databases.APIVersion, Kind: kit.Databases.Kind,
		Name: v.db.Name, UID: v.db.UID, Controller: true,
	}}
	return s
}

func (v *visit) written(_ *kit.Secret, err error) *ending {
	if err != nil {
		return v.apiError(err)
	}
	return nil
}
