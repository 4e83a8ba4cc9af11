package fluss

import (
	"context"
	"slices"

	"github.com/gofluss/fluss/dialect"
)

// createLike fills in a CREATE TABLE ... LIKE from the table it names. Options given take precedence over those of the
// other table, and so do a bucket count and a bucket key, by whichever spelling.
func (c *conn) createLike(ctx context.Context, s *dialect.CreateTable) (*dialect.CreateTable, error) {
	path := tablePath(c.database, s.Like)
	if s.Like.Suffix != "" {
		return nil, &UnsupportedError{Feature: "LIKE " + path.Table + "$" + s.Like.Suffix, Reason: "it is no table of its own", Hint: "name " + path.String()}
	}
	t, err := c.c.client.FreshTable(ctx, *path)
	if err != nil {
		return nil, translate(err, path.String())
	}
	out := createTableOf(t)
	out.Table, out.IfNotExists = s.Table, s.IfNotExists
	if s.Comment != "" {
		out.Comment = s.Comment
	}
	if s.ExcludeOptions { // the distribution is an option, too: bucket.num and bucket.key
		out.Options, out.DistributedBy, out.Buckets = nil, nil, 0
	}
	has := func(key string) bool {
		return slices.ContainsFunc(s.Options, func(o dialect.Option) bool { return o.Key == key })
	}
	if s.Buckets != 0 || has("bucket.num") {
		out.Buckets, out.Options = s.Buckets, without(out.Options, "bucket.num")
	}
	if s.DistributedBy != nil || has("bucket.key") {
		out.DistributedBy = s.DistributedBy
	}
	for _, o := range s.Options {
		out.Options = append(without(out.Options, o.Key), o)
	}
	return out, nil
}

func without(list []dialect.Option, key string) []dialect.Option {
	return slices.DeleteFunc(list, func(o dialect.Option) bool { return o.Key == key })
}
