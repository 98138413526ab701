// Langfuse on the OpenAI client, with agent and tool observations.
import {observeOpenAI} from '@langfuse/openai';
import {LangfuseSpanProcessor} from '@langfuse/otel';
import {observe} from '@langfuse/tracing';
import {OTLPTraceExporter} from '@opentelemetry/exporter-trace-otlp-http';
import OpenAI from 'openai';
import {chatCompletions, run} from '../loop.mjs';
import {start} from '../otel.mjs';

const otel = start({spanProcessors: [new LangfuseSpanProcessor({exporter: new OTLPTraceExporter()})]});
console.log(await run({
  chat: chatCompletions(observeOpenAI(new OpenAI())),
  agent: (name, fn) => observe(fn, {name, asType: 'agent'}),
  tool: (name, fn) => observe(fn, {name, asType: 'tool'}),
}));
await otel.stop();
