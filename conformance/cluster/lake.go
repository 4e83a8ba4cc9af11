package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// lakeArtifacts are what the servers need for tables in a Paimon lake: the plugin, which has no Paimon in it, Paimon and
// what that takes of Hadoop. Some 90 MB, of which nothing else is wanted: each comes without what it depends on.
var lakeArtifacts = []artifact{
	{"org.apache.fluss", "fluss-lake-paimon", Version},
	{"org.apache.paimon", "paimon-bundle", "1.3.1"},
	{"org.apache.flink", "flink-shaded-hadoop-2-uber", "2.8.3-10.0"},
}

// LakeJars returns a directory with lakeArtifacts, filled by Maven when it is empty.
func LakeJars(ctx context.Context) (string, error) {
	return cached(lakeArtifacts[0].name, func(dir string) error {
		work, err := os.MkdirTemp(filepath.Dir(dir), "fetch-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(work)
		for _, a := range lakeArtifacts {
			cmd := exec.CommandContext(ctx, "mvn", "-q", "-B", "dependency:copy", "-Dartifact="+a.group+":"+a.name+":"+a.version, "-DoutputDirectory="+work)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("mvn could not fetch %s:%s: %w\n%s", a.name, a.version, err, out)
			}
		}
		return os.Rename(work, dir)
	})
}

// lakeProperties put the lake into a directory of the cluster's own.
func (c *Cluster) lakeProperties() map[string]string {
	return map[string]string{
		"datalake.format":           "paimon",
		"datalake.paimon.metastore": "filesystem",
		"datalake.paimon.warehouse": filepath.Join(c.dir, "lake"),
	}
}
