package dialect

// A Procedure is one that CALL knows, with the names of Flink's procedures for Fluss.
// Source: ProcedureManager and the classes beside it (fluss-flink, v0.9.1-incubating).
type Procedure struct {
	Name       string // without the sys. in front
	Parameters []Parameter
}

// Parameter is one parameter of a Procedure. A Variadic one is the last, and takes any number of values.
type Parameter struct {
	Name     string
	Optional bool
	Variadic bool
}

func required(name string) Parameter { return Parameter{Name: name} }
func optional(name string) Parameter { return Parameter{Name: name, Optional: true} }

// Procedures are all of them, sorted by name. They must not be changed.
var Procedures = []Procedure{
	{"add_acl", []Parameter{required("resource"), required("permission"), required("principal"), required("operation"), optional("host")}},
	{"add_server_tag", []Parameter{required("tabletServers"), required("serverTag")}},
	{"cancel_rebalance", []Parameter{optional("rebalanceId")}},
	{"drop_acl", []Parameter{required("resource"), required("permission"), required("principal"), required("operation"), optional("host")}},
	{"drop_kv_snapshot_lease", []Parameter{required("leaseId")}},
	{"get_cluster_configs", []Parameter{{Name: "config_keys", Optional: true, Variadic: true}}},
	{"list_acl", []Parameter{required("resource"), optional("permission"), optional("principal"), optional("operation"), optional("host")}},
	{"list_rebalance", []Parameter{optional("rebalanceId")}},
	{"rebalance", []Parameter{required("priorityGoals")}},
	{"remove_server_tag", []Parameter{required("tabletServers"), required("serverTag")}},
	{"reset_cluster_configs", []Parameter{{Name: "config_keys", Variadic: true}}},
	{"set_cluster_configs", []Parameter{{Name: "config_pairs", Variadic: true}}},
}

// ProcedureByName finds a procedure by its name, without sys., in any case; nil when there is none.
func ProcedureByName(name string) *Procedure {
	for i := range Procedures {
		if equalFold(Procedures[i].Name, name) {
			return &Procedures[i]
		}
	}
	return nil
}

// parameter is the index of a parameter by its name in any case, -1 when there is none.
func (p *Procedure) parameter(name string) int {
	for i := range p.Parameters {
		if equalFold(p.Parameters[i].Name, name) {
			return i
		}
	}
	return -1
}

// procedureNames are the names of all procedures.
func procedureNames() []string {
	names := make([]string, len(Procedures))
	for i := range Procedures {
		names[i] = Procedures[i].Name
	}
	return names
}

func (p *Procedure) parameterNames() []string {
	names := make([]string, len(p.Parameters))
	for i := range p.Parameters {
		names[i] = p.Parameters[i].Name
	}
	return names
}

func equalFold(a, b string) bool { return upper(a) == upper(b) }
