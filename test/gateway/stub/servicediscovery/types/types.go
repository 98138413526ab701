// Package types has the types of the stub.
package types

// HealthStatusFilter selects instances.
type HealthStatusFilter string

// HealthStatusFilterHealthy selects those that are well.
const HealthStatusFilterHealthy HealthStatusFilter = "HEALTHY"

// HttpInstanceSummary is an instance.
type HttpInstanceSummary struct {
	Attributes map[string]string
}
