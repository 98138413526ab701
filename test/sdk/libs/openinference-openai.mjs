// OpenInference on the OpenAI client, with agent and tool spans of its core. API=chat or responses.
import {traceAgent, traceTool} from '@arizeai/openinference-core';
import {OpenAIInstrumentation} from '@arizeai/openinference-instrumentation-openai';
import OpenAI from 'openai';
import {chatCompletions, responses, run} from '../loop.mjs';
import {start} from '../otel.mjs';

const otel = start();
const instrumentation = new OpenAIInstrumentation({tracerProvider: otel.tracerProvider});
instrumentation.manuallyInstrument(OpenAI);

const client = new OpenAI();
console.log(await run({
  chat: process.env.API === 'responses' ? responses(client) : chatCompletions(client),
  agent: (name, fn) => traceAgent(fn, {name}),
  tool: (name, fn) => traceTool(fn, {name}),
}));
await otel.stop();
