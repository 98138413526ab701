// Mastra with its OpenTelemetry exporter: the billing agent is a sub-agent of support.
import {createOpenAI} from '@ai-sdk/openai';
import {Agent} from '@mastra/core/agent';
import {Mastra} from '@mastra/core/mastra';
import {createTool} from '@mastra/core/tools';
import {Observability} from '@mastra/observability';
import {OtelExporter} from '@mastra/otel-exporter';
import {z} from 'zod';
import {instructions, tools, user} from '../story.mjs';

const model = createOpenAI().chat('scripted-1');
const zod = ({required}) => z.object(Object.fromEntries(required.map(name => [name, z.string()])));
const billing = new Agent({id: 'billing_agent', name: 'billing_agent', description: 'Reopens cases', model, instructions: instructions.billing});
const support = new Agent({
  id: 'support_agent', name: 'support_agent', model, instructions: instructions.support, agents: {billing_agent: billing},
  tools: Object.fromEntries(tools.map(({name, description, parameters, run}) =>
    [name, createTool({id: name, description, inputSchema: zod(parameters), execute: run})])),
});
const exporter = new OtelExporter({provider: {custom: {endpoint: process.env.OTEL_EXPORTER_OTLP_ENDPOINT, protocol: 'http/protobuf'}}});
const mastra = new Mastra({
  agents: {support}, logger: false,
  observability: new Observability({configs: {otel: {serviceName: 'support', exporters: [exporter]}}}),
});
console.log((await mastra.getAgent('support').generate(user)).text);
await mastra.shutdown();
