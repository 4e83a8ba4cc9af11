package row

import (
	"encoding/json"
	"testing"
	"time"
)

func TestDate(t *testing.T) {
	withLocal(t, func(t *testing.T) {
		for _, c := range []struct {
			src  any
			want string // "" when refused
		}{
			{time.Date(2024, 3, 10, 0, 0, 0, 0, time.UTC), "2024-03-10"},
			{time.Date(2024, 3, 10, 23, 0, 0, 0, west), "2024-03-10"},
			{"2024-03-10", "2024-03-10"},
			{[]byte("2024-03-10T00:00:00Z"), "2024-03-10"},
			{"0001-01-01", "0001-01-01"},
			{"2024-03-10 01:00:00", ""},
			{"x", ""}, {nil, ""}, {[]byte(nil), ""}, {5, ""},
		} {
			var d Date
			err := d.Scan(c.src)
			if (err == nil) != (c.want != "") || err == nil && d.String() != c.want {
				t.Errorf("%v: got %v, error %v, want %q", c.src, d, err, c.want)
			}
		}
	})
	d := Date{2024, 2, 29}
	if v, err := d.Value(); v != "2024-02-29" || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if got := DateOf(d.Time()); got != d {
		t.Errorf("got %v, want %v", got, d)
	}
	if _, err := (Date{2023, 2, 29}).Value(); err == nil {
		t.Error("2023-02-29 has a value")
	}
	if _, err := json.Marshal(Date{}); err == nil {
		t.Error("the zero Date has a text")
	}
}

func TestTimeOfDay(t *testing.T) {
	for _, c := range []struct {
		src  any
		want string
	}{
		{"15:04:05.120", "15:04:05.12"},
		{[]byte("15:04:05"), "15:04:05"},
		{"00:00:00.000000001", "00:00:00.000000001"},
		{time.Date(2024, 3, 10, 23, 0, 1, 5e6, west), "23:00:01.005"},
		{90 * time.Minute, "01:30:00"},
		{24 * time.Hour, ""}, {-time.Second, ""}, {"24:00:00", ""}, {"15:04", ""}, {"00:00:00.0000000001", ""}, {nil, ""}, {5, ""},
	} {
		var d TimeOfDay
		err := d.Scan(c.src)
		if (err == nil) != (c.want != "") || err == nil && d.String() != c.want {
			t.Errorf("%v: got %v, error %v, want %q", c.src, d, err, c.want)
		}
	}
	d := TimeOfDay{1, 2, 3, 4}
	if v, err := d.Value(); v != "01:02:03.000000004" || err != nil {
		t.Errorf("got %v, %v", v, err)
	}
	if got, want := d.Duration(), time.Hour+2*time.Minute+3*time.Second+4; got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if _, err := (TimeOfDay{Minute: 60}).Value(); err == nil {
		t.Error("minute 60 has a value")
	}
}

func TestCivilJSON(t *testing.T) {
	type both struct {
		D Date
		T TimeOfDay
	}
	in := both{Date{2024, 3, 10}, TimeOfDay{Hour: 1}}
	text, err := json.Marshal(in)
	if want := `{"D":"2024-03-10","T":"01:00:00"}`; err != nil || string(text) != want {
		t.Fatalf("got %s, error %v, want %s", text, err, want)
	}
	var out both
	if err := json.Unmarshal(text, &out); err != nil || out != in {
		t.Errorf("got %v, error %v, want %v", out, err, in)
	}
}
