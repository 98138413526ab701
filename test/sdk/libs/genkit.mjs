// Genkit, which is on OpenTelemetry 1: a flow with generate and tools; the billing agent is called from a tool.
import {openAI} from '@genkit-ai/compat-oai/openai';
import {OTLPTraceExporter} from 'otlp-exporter-0.52';
import {BatchSpanProcessor} from 'sdk-trace-base-1';
import {genkit, z} from 'genkit';
import {enableTelemetry, flushTracing} from 'genkit/tracing';
import {askBilling, instructions, tools as plain, user} from '../story.mjs';

await enableTelemetry({spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())]});
const ai = genkit({plugins: [openAI()]});
const model = openAI.model('gpt-4o-mini');

const tools = plain.map(({name, description, parameters, run}) => ai.defineTool({name, description, inputJsonSchema: parameters}, run));
tools.push(ai.defineTool({name: askBilling.name, description: askBilling.description, inputJsonSchema: askBilling.parameters},
  async ({message}) => (await ai.generate({model, system: instructions.billing, prompt: message})).text));
const support = ai.defineFlow({name: 'support_agent', inputSchema: z.string(), outputSchema: z.string()},
  async text => (await ai.generate({model, system: instructions.support, prompt: text, tools})).text);
console.log(await support(user));
await flushTracing();
