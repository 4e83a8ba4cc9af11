package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// secretFree checks that a password is in no form of an error.
func secretFree(t *testing.T, err error, password string) {
	t.Helper()
	asJSON, _ := json.Marshal(err)
	for _, text := range []string{fmt.Sprint(err), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", err), string(asJSON)} {
		if strings.Contains(text, password) {
			t.Errorf("the password is in an error: %s", strings.ReplaceAll(text, password, "(password)"))
		}
	}
}
