// Package gateway runs several real gateways behind a router, kills one and adds one under load, and asserts that every
// trace is scored once or marked incomplete, and that nothing leaves unredacted. Traces are routed by their id, by the
// load-balancing exporter and by a Kafka topic. The broker is kfake, which speaks the protocol in this process and
// stands in for a real one.
//
// It is a module of its own: the load-balancing exporter links clients that the product has no use for, one of which is
// replaced by a stub here. It holds no code but its tests:
//
//	cd test/gateway && go test ./...
package gateway
