// Langfuse on LangChain, with a LangGraph supervisor.
import {CallbackHandler} from '@langfuse/langchain';
import {LangfuseSpanProcessor} from '@langfuse/otel';
import {OTLPTraceExporter} from '@opentelemetry/exporter-trace-otlp-http';
import {supervisor} from '../graph.mjs';
import {start} from '../otel.mjs';

const otel = start({spanProcessors: [new LangfuseSpanProcessor({exporter: new OTLPTraceExporter()})]});
console.log(await supervisor({callbacks: [new CallbackHandler()]}));
await otel.stop();
