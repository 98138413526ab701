module github.com/aws/aws-sdk-go-v2/service/servicediscovery

go 1.24

require github.com/aws/aws-sdk-go-v2 v1.46.0
