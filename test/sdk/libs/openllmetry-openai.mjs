// OpenLLMetry on the OpenAI client, with its workflow, agent and tool wrappers. STREAM=1 streams; VERSION=0.14 is of the
// time of flattened gen_ai.prompt.N attributes.
import OpenAI from 'openai';
import {chatCompletions, run} from '../loop.mjs';

const traceloop = await import(process.env.VERSION === '0.14' ? 'traceloop-0.14' : '@traceloop/node-server-sdk');
traceloop.initialize({appName: 'support', baseUrl: process.env.OTEL_EXPORTER_OTLP_ENDPOINT, apiKey: 'none', silenceInitializationMessage: true,
  instrumentModules: {openAI: OpenAI}});
const client = new OpenAI();
console.log(await traceloop.withWorkflow({name: 'support_desk'}, run, {
  chat: chatCompletions(client, {stream: process.env.STREAM === '1'}),
  agent: (name, fn) => text => traceloop.withAgent({name}, fn, text),
  tool: (name, fn) => args => traceloop.withTool({name}, fn, args),
}));
await traceloop.forceFlush();
