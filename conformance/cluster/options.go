package cluster

import "time"

// Options say what to start. The zero value is one tablet server without authentication.
type Options struct {
	TabletServers   int               // 0: 1
	Replication     int               // default replication factor of tables; 0: TabletServers
	CoordinatorPort int               // 0: a free one
	SASL            bool              // client listeners ask for SASL PLAIN, and the authorizer is on
	Users           map[string]string // user to password; the super user is added when it is not there
	SuperUser       string            // "": admin. Only with SASL

	// Lake makes it a cluster with a Paimon lake in a directory. Nothing is tiered into it: that is a job of Flink's.
	Lake bool

	// Lines of server.yaml; they win over the defaults. ServerProperties are for every process.
	ServerProperties      map[string]string
	CoordinatorProperties map[string]string
	TabletProperties      map[string]string

	// Advertise, when set, gives the address a server's client listener is announced under, for a proxy in front of
	// it: name is "coordinator" or "tablet-N", listen is where the server really listens.
	Advertise func(name, listen string) string

	Dir          string        // where configuration, data and logs go; "": a temporary directory
	KeepLogs     bool          // Stop leaves the logs
	StartTimeout time.Duration // 0: 2 minutes
	TabletHeap   string        // "": 384m
	JavaFlags    []string      // further flags for the tablet servers

	// OwnSignals: the program handles SIGINT and SIGTERM itself and calls Stop. Otherwise Start does: it ends the
	// servers, removes Dir and sends the signal again.
	OwnSignals bool
}

func (o *Options) setDefaults() {
	if o.TabletServers == 0 {
		o.TabletServers = 1
	}
	if o.Replication == 0 {
		o.Replication = o.TabletServers
	}
	if o.StartTimeout == 0 {
		o.StartTimeout = 2 * time.Minute
	}
	if o.TabletHeap == "" {
		o.TabletHeap = "384m"
	}
	if !o.SASL {
		return
	}
	if o.SuperUser == "" {
		o.SuperUser = "admin"
	}
	users := map[string]string{o.SuperUser: "admin-pass"}
	for user, password := range o.Users {
		users[user] = password
	}
	o.Users = users
}
