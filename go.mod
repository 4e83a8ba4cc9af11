module github.com/gofluss/fluss

go 1.26.0

require (
	github.com/apache/arrow-go/v18 v18.8.0
	github.com/shopspring/decimal v1.4.0
	github.com/xwb1989/sqlparser v0.0.0-20180606152119-120387863bf2
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/klauspost/compress v1.20.4 // indirect
	github.com/pierrec/lz4/v4 v4.1.33 // indirect
	golang.org/x/sync v0.25.0 // indirect
)
