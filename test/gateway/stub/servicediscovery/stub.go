// Package servicediscovery stands in for the client of AWS Cloud Map, which the load-balancing exporter links and this
// test never calls. It holds what the exporter needs to compile.
package servicediscovery

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/aws/aws-sdk-go-v2/service/servicediscovery/types"
)

// Client finds nothing.
type Client struct{}

// NewFromConfig returns a Client.
func NewFromConfig(aws.Config, ...func(*Options)) *Client { return &Client{} }

// Options has no options.
type Options struct{}

// DiscoverInstancesInput are the fields that the exporter sets.
type DiscoverInstancesInput struct {
	NamespaceName, ServiceName, OwnerAccount *string
	HealthStatus                             types.HealthStatusFilter
	MaxResults                               *int32
	OptionalParameters, QueryParameters      map[string]string
}

// DiscoverInstancesOutput is empty.
type DiscoverInstancesOutput struct {
	Instances []types.HttpInstanceSummary
}

// DiscoverInstances always fails.
func (*Client) DiscoverInstances(context.Context, *DiscoverInstancesInput, ...func(*Options)) (*DiscoverInstancesOutput, error) {
	return nil, errors.New("stub: no AWS Cloud Map here")
}
