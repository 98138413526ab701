// OpenTelemetry as an application sets it up: spans and log records over OTLP/HTTP to OTEL_EXPORTER_OTLP_ENDPOINT.
import {createRequire} from 'node:module';
import {context, trace} from '@opentelemetry/api';
import {logs} from '@opentelemetry/api-logs';
import {AsyncLocalStorageContextManager} from '@opentelemetry/context-async-hooks';
import {OTLPLogExporter} from '@opentelemetry/exporter-logs-otlp-proto';
import {OTLPTraceExporter} from '@opentelemetry/exporter-trace-otlp-proto';
import {resourceFromAttributes} from '@opentelemetry/resources';
import {BatchLogRecordProcessor, LoggerProvider} from '@opentelemetry/sdk-logs';
import {BatchSpanProcessor} from '@opentelemetry/sdk-trace-base';
import {NodeTracerProvider} from '@opentelemetry/sdk-trace-node';

// require loads a CommonJS build, which instrumentations can patch without a loader.
export const require = createRequire(import.meta.url);

const resource = resourceFromAttributes({'service.name': 'support'});

// start registers global providers. Its result ends them and sends what is left.
export function start({spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())]} = {}) {
  const tracerProvider = new NodeTracerProvider({resource, spanProcessors});
  tracerProvider.register({contextManager: new AsyncLocalStorageContextManager().enable()});
  const loggerProvider = new LoggerProvider({resource, processors: [new BatchLogRecordProcessor({exporter: new OTLPLogExporter()})]});
  logs.setGlobalLoggerProvider(loggerProvider);
  return {tracerProvider, loggerProvider, async stop() {
    await tracerProvider.forceFlush();
    await loggerProvider.forceFlush();
    await tracerProvider.shutdown();
    await loggerProvider.shutdown();
  }};
}

// inSpan gives fn a span without content, as of a web server or of an application that names its agents.
export const inSpan = (name, fn, attributes = {}) => (...args) =>
  trace.getTracer('app').startActiveSpan(name, {attributes}, async span => {
    try {
      return await fn(...args);
    } finally {
      span.end();
    }
  });
