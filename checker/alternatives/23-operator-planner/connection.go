package operator

import "github.com/controllerbook/controllerbook/labs/kit"

// connectionOf is the connection's Secret as it should be.
func connectionOf(w world) *kit.Secret {
	secret := kit.Secrets.New()
	secret.Namespace, secret.Name = w.db.Namespace, ConnectionName(w.db)
	secret.Data = map[string][]byte{EndpointKey: []byte(w.has.Endpoint), PasswordKey: secretPassword(w.password)}
	secret.OwnerReferences = []kit.OwnerReference{
		{APIVersion: kit.Databases.APIVersion, Kind: kit.Databases.Kind, Name: w.db.Name, UID: w.db.UID, Controller: true},
	}
	return secret
}
