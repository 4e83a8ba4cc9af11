package fluss

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/gofluss/fluss/internal/route"
)

// redacted stands for a value that must not be shown.
const redacted = "******"

// secretWords are in the keys of settings whose values are secrets. The servers tell them in clear text.
var secretWords = []string{"password", "secret", "key", "token", "credential", "jaas"}

// isSecret reports whether the value of a setting must not be shown.
func isSecret(key string) bool {
	key = strings.ToLower(key)
	return slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(key, w) })
}

// shown is a setting's value as people may see it.
func shown(key, value string) string {
	if isSecret(key) && value != "" {
		return redacted
	}
	return value
}

// getClusterConfigs gives the settings that were asked for, in that order, without those that are not set; all of them,
// sorted, when none was named.
func (p *procedureCall) getClusterConfigs(ctx context.Context) (*staticRows, error) {
	keys, err := p.list(0)
	if err != nil {
		return nil, err
	}
	all, err := p.c.client.ClusterConfigs(ctx)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b route.ClusterConfig) int { return strings.Compare(a.Key, b.Key) })
	out := &staticRows{columns: textColumns("config_key", "config_value", "config_source")}
	out.columns[1].Type = &nullableText
	add := func(s *route.ClusterConfig) {
		r := []driver.Value{s.Key, nil, s.Source}
		if s.Value != nil {
			r[1] = shown(s.Key, *s.Value)
		}
		out.rows = append(out.rows, r)
	}
	for i := range all {
		if keys == nil {
			add(&all[i])
		}
	}
	for _, key := range keys {
		if i := slices.IndexFunc(all, func(s route.ClusterConfig) bool { return s.Key == key }); i >= 0 {
			add(&all[i])
		}
	}
	return out, nil
}

func (p *procedureCall) setClusterConfigs(ctx context.Context) (*staticRows, error) {
	pairs, err := p.list(0)
	if err != nil {
		return nil, err
	}
	if len(pairs)%2 != 0 {
		return nil, p.refuse("config_pairs", "keys and values take turns, and the last key has no value")
	}
	var list []route.Property
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, route.Property{Key: pairs[i], Value: &pairs[i+1]})
	}
	return p.alterConfigs(ctx, list)
}

func (p *procedureCall) resetClusterConfigs(ctx context.Context) (*staticRows, error) {
	keys, err := p.list(0)
	if err != nil {
		return nil, err
	}
	list := make([]route.Property, len(keys))
	for i := range keys {
		list[i].Key = keys[i]
	}
	return p.alterConfigs(ctx, list)
}

// alterConfigs makes the changes and tells each in Flink's words.
func (p *procedureCall) alterConfigs(ctx context.Context, list []route.Property) (*staticRows, error) {
	texts := make([]string, len(list))
	for i := range list {
		s := &list[i]
		if s.Key = strings.TrimSpace(s.Key); s.Key == "" {
			return nil, p.refuse(p.args[0].name, "a key must not be empty")
		}
		done := "deleted (reset to default)"
		if s.Value != nil {
			done = fmt.Sprintf("set to '%s'", shown(s.Key, *s.Value))
		}
		texts[i] = fmt.Sprintf("Successfully %s configuration '%s'. ", done, s.Key)
	}
	return results(texts...), p.c.client.AlterClusterConfigs(ctx, list)
}
