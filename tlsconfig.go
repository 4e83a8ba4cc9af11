package fluss

import (
	"crypto/tls"
	"errors"
	"sync"
)

var tlsRegistry struct {
	sync.Mutex
	configs map[string]*tls.Config
}

// RegisterTLSConfig gives a TLS configuration a name, for tls=name in a DSN. The names "true", "false" and
// "skip-verify" are taken. Those who use [NewConnector] set Config.TLSConfig instead and need no name.
func RegisterTLSConfig(name string, config *tls.Config) error {
	switch name {
	case "", "true", "false", "skip-verify":
		return errors.New("fluss: that name of a TLS configuration is taken")
	}
	tlsRegistry.Lock()
	defer tlsRegistry.Unlock()
	if tlsRegistry.configs == nil {
		tlsRegistry.configs = map[string]*tls.Config{}
	}
	tlsRegistry.configs[name] = config.Clone()
	return nil
}

// tlsConfig returns nil for a plain connection. The server name is set for each dial from its address, and TLS 1.2 is
// the least.
func (c *Config) tlsConfig() (*tls.Config, error) {
	var t *tls.Config
	switch {
	case c.TLSConfig != nil:
		t = c.TLSConfig.Clone()
	case c.TLS == "" || c.TLS == "false":
		return nil, nil
	case c.TLS == "true":
		t = &tls.Config{}
	case c.TLS == "skip-verify":
		t = &tls.Config{InsecureSkipVerify: true}
	default:
		tlsRegistry.Lock()
		known := tlsRegistry.configs[c.TLS]
		tlsRegistry.Unlock()
		if known == nil {
			return nil, errors.New("fluss: tls must be true, false, skip-verify or a name given to RegisterTLSConfig before")
		}
		t = known.Clone()
	}
	if t.MinVersion < tls.VersionTLS12 {
		t.MinVersion = tls.VersionTLS12
	}
	return t, nil
}
