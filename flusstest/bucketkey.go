package flusstest

import "github.com/gofluss/fluss/internal/catalog"

// bucketKey is the bucket a request names. partition is nil when it names none.
func bucketKey(table int64, partition *int64, id int32) catalog.Bucket {
	key := catalog.Bucket{TableID: table, PartitionID: catalog.NoPartition, ID: id}
	if partition != nil {
		key.PartitionID = *partition
	}
	return key
}

// lead returns the bucket if the server asked leads it.
func (c *call) lead(key catalog.Bucket) (*bucket, error) { return c.srv.cluster.led(key, c.node.id) }

// lastOfEach drops entries for a bucket that is named again further on: the real server puts them in a map.
func lastOfEach[E any](entries []E, key func(E) catalog.Bucket) []E {
	if len(entries) < 2 {
		return entries
	}
	list := make([]E, 0, len(entries))
	at := make(map[catalog.Bucket]int, len(entries))
	for _, e := range entries {
		k := key(e)
		if i, twice := at[k]; twice {
			list[i] = e
			continue
		}
		at[k] = len(list)
		list = append(list, e)
	}
	return list
}
