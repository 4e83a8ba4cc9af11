package differential

import (
	"fmt"
	"maps"
	"slices"
)

// difference is one field in which two answers are not equal.
type difference struct {
	path     string // as in buckets_resp[0].log_end_offset
	embedded string
	real     string
}

func (d difference) String() string {
	return fmt.Sprintf("%s\n   embedded %.2000s\n   real     %.2000s", d.path, d.embedded, d.real)
}

// compare lists the fields in which two trees differ.
func compare(path string, embedded, real any) []difference {
	switch e := embedded.(type) {
	case map[string]any:
		r, ok := real.(map[string]any)
		if !ok {
			break
		}
		if field(e, "code") != field(r, "code") || field(e, "error_code") != field(r, "error_code") {
			return []difference{{join(path, "error"), outcome(e), outcome(r)}}
		}
		var list []difference
		keys := maps.Clone(e)
		maps.Copy(keys, r)
		for _, k := range slices.Sorted(maps.Keys(keys)) {
			list = append(list, compare(join(path, k), field(e, k), field(r, k))...)
		}
		return list
	case []any:
		r, ok := real.([]any)
		if !ok || len(e) != len(r) {
			break
		}
		var list []difference
		for i := range e {
			list = append(list, compare(fmt.Sprintf("%s[%d]", path, i), e[i], r[i])...)
		}
		return list
	}
	if a, b := fmt.Sprint(embedded), fmt.Sprint(real); a != b {
		return []difference{{path, a, b}}
	}
	return nil
}

// outcome tells an error, or else what came instead.
func outcome(m map[string]any) string {
	for _, k := range []string{"", "error_"} {
		if code, ok := m[k+"code"]; ok {
			return fmt.Sprint(code, " ", field(m, map[string]string{"": "text", "error_": "error_message"}[k]))
		}
	}
	return fmt.Sprint("success ", m)
}

func join(path, key string) string {
	if path == "" {
		return key
	}
	return path + "." + key
}

func field(m map[string]any, key string) any {
	if v, ok := m[key]; ok {
		return v
	}
	return "absent"
}
