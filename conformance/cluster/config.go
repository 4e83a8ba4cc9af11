package cluster

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	zooKeeperMain   = "org.apache.fluss.shaded.zookeeper3.org.apache.zookeeper.server.quorum.QuorumPeerMain"
	coordinatorMain = "org.apache.fluss.server.coordinator.CoordinatorServer"
	tabletMain      = "org.apache.fluss.server.tablet.TabletServer"
)

// configure takes ports, writes every configuration file and fills in the servers. Nothing is started.
func (c *Cluster) configure() error {
	ports, err := freePorts(2 + c.opts.TabletServers)
	if err != nil {
		return err
	}
	zkPort, coordinatorPort, tabletPorts := ports[0], ports[1], ports[2:]
	if c.opts.CoordinatorPort != 0 {
		coordinatorPort = c.opts.CoordinatorPort
	}
	if err := c.configureZooKeeper(zkPort); err != nil {
		return err
	}
	common := c.commonProperties(zkPort)
	c.coordinator, err = c.configureServer("coordinator", coordinatorPort, coordinatorMain, "256m", nil,
		common, c.opts.CoordinatorProperties)
	if err != nil {
		return err
	}
	for i, port := range tabletPorts {
		own := map[string]string{
			"tablet-server.id": strconv.Itoa(i),
			"data.dir":         filepath.Join(c.dir, "data"+strconv.Itoa(i)),
		}
		t, err := c.configureServer("tablet-"+strconv.Itoa(i), port, tabletMain, c.opts.TabletHeap, c.opts.JavaFlags,
			common, own, c.opts.TabletProperties)
		if err != nil {
			return err
		}
		c.tablets = append(c.tablets, t)
	}
	return nil
}

func (c *Cluster) configureZooKeeper(port int) error {
	// tickTime: a session may last 2 to 20 ticks; the default tick of 3 s would not allow sessions of 3 s.
	text := fmt.Sprintf("dataDir=%s\nclientPort=%d\nclientPortAddress=127.0.0.1\nmaxClientCnxns=0\n"+
		"admin.enableServer=false\ntickTime=500\nmaxSessionTimeout=60000\n", filepath.Join(c.dir, "zk"), port)
	path, err := c.writeConf("zookeeper", "zookeeper.properties", text)
	if err != nil {
		return err
	}
	c.zooKeeper, err = c.newServer("zookeeper", port, "128m", nil, zooKeeperMain, path)
	return err
}

// commonProperties are the lines every Fluss server has.
func (c *Cluster) commonProperties(zkPort int) map[string]string {
	p := map[string]string{
		"zookeeper.address":                "127.0.0.1:" + strconv.Itoa(zkPort),
		"zookeeper.client.session-timeout": "3s", // 60s by default: a failover then takes a minute
		"remote.data.dir":                  filepath.Join(c.dir, "remote"),
		"default.bucket.number":            "1",
		"default.replication.factor":       strconv.Itoa(c.opts.Replication),
	}
	if c.opts.TabletServers == 1 {
		// Nobody to fail over to: rather sit out the moments in which a busy machine runs something else.
		p["zookeeper.client.session-timeout"] = "30s"
	}
	if c.opts.Replication > 1 {
		p["log.replica.fetch.wait-max-time"] = "20ms" // 500ms by default: what a lone replicated write then waits
	}
	if c.opts.SASL {
		var jaas strings.Builder
		jaas.WriteString("org.apache.fluss.security.auth.sasl.plain.PlainLoginModule required")
		for _, user := range slices.Sorted(maps.Keys(c.opts.Users)) {
			fmt.Fprintf(&jaas, " user_%s=%q", user, c.opts.Users[user])
		}
		p["security.sasl.enabled.mechanisms"] = "PLAIN"
		p["security.sasl.plain.jaas.config"] = jaas.String() + ";"
		p["authorizer.enabled"] = "true"
		p["super.users"] = "User:" + c.opts.SuperUser
	}
	if c.opts.Lake {
		maps.Copy(p, c.lakeProperties())
	}
	maps.Copy(p, c.opts.ServerProperties)
	return p
}

// listenerProperties: one plain listener, or CLIENT beside INTERNAL where clients are treated differently from servers.
func (c *Cluster) listenerProperties(name string, port int) map[string]string {
	listen := loopback(port)
	if !c.opts.SASL && c.opts.Advertise == nil {
		return map[string]string{"bind.listeners": "FLUSS://" + listen}
	}
	protocol := "PLAINTEXT"
	if c.opts.SASL {
		protocol = "SASL"
	}
	p := map[string]string{
		"bind.listeners":         "INTERNAL://127.0.0.1:0, CLIENT://" + listen,
		"internal.listener.name": "INTERNAL",
		"security.protocol.map":  "CLIENT:" + protocol + ", INTERNAL:PLAINTEXT",
	}
	if c.opts.Advertise != nil {
		p["advertised.listeners"] = "CLIENT://" + c.opts.Advertise(name, listen)
	}
	return p
}

// configureServer writes server.yaml; later property maps win.
func (c *Cluster) configureServer(name string, port int, mainClass, heap string, flags []string,
	properties ...map[string]string) (*server, error) {
	all := c.listenerProperties(name, port)
	for _, p := range properties {
		maps.Copy(all, p)
	}
	var text strings.Builder
	for _, key := range slices.Sorted(maps.Keys(all)) {
		fmt.Fprintf(&text, "%s: %s\n", key, all[key])
	}
	path, err := c.writeConf(name, "server.yaml", text.String())
	if err != nil {
		return nil, err
	}
	return c.newServer(name, port, heap, flags, mainClass, "--configDir", filepath.Dir(path))
}

// log4jConfig logs to one file per process, named by the system property gofluss.log.
// A SASL cluster prints every property, passwords included, at INFO: there the level is WARN.
func (c *Cluster) log4jConfig() string {
	level := "INFO"
	if c.opts.SASL {
		level = "WARN"
	}
	return fmt.Sprintf(`rootLogger.level=%s
rootLogger.appenderRef.f.ref=F
logger.shaded.name=org.apache.fluss.shaded
logger.shaded.level=WARN
appender.f.name=F
appender.f.type=File
appender.f.fileName=${sys:gofluss.log}
appender.f.layout.type=PatternLayout
appender.f.layout.pattern=%%d %%-5p %%c - %%m%%n
`, level)
}

func (c *Cluster) newServer(name string, port int, heap string, flags []string, mainAndArgs ...string) (*server, error) {
	log4j, err := c.writeConf(name, "log4j2.properties", c.log4jConfig())
	if err != nil {
		return nil, err
	}
	tmp := filepath.Join(c.dir, "tmp") // what a killed server leaves goes with the cluster
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return nil, err
	}
	s := &server{name: name, port: port, java: c.java,
		log: filepath.Join(c.LogDir(), name+".log"), out: filepath.Join(c.LogDir(), name+".out")}
	s.args = append(s.args, "-Xmx"+heap, "-XX:+UseSerialGC", "--add-opens=java.base/java.nio=ALL-UNNAMED",
		"-Djava.io.tmpdir="+tmp, "-Dlog4j2.configurationFile="+log4j, "-Dgofluss.log="+s.log)
	s.args = append(s.args, flags...)
	classPath := filepath.Join(c.lib, "*")
	if c.lake != "" {
		classPath += string(filepath.ListSeparator) + filepath.Join(c.lake, "*")
	}
	s.args = append(s.args, "-cp", classPath)
	s.args = append(s.args, mainAndArgs...)
	return s, nil
}

// writeConf writes conf/NAME/FILE, readable by the owner alone since it may hold passwords.
func (c *Cluster) writeConf(name, file, text string) (string, error) {
	dir := filepath.Join(c.dir, "conf", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, file)
	return path, os.WriteFile(path, []byte(text), 0o600)
}
