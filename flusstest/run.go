package flusstest

// Tester is what Run needs of a *testing.T, *testing.B or *testing.F.
type Tester interface {
	Helper()
	Cleanup(func())
	Logf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Run starts a server that ends with the test.
func Run(t Tester, opts ...Option) (srv *Server) {
	t.Helper()
	defer func() {
		if problem := recover(); problem != nil {
			t.Fatalf("%v", problem)
		}
	}()
	srv = NewServer(opts...)
	t.Cleanup(srv.Close)
	return srv
}
