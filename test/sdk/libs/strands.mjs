// Strands Agents: the billing agent is called from a tool. Content is in span events.
import {Agent, tool} from '@strands-agents/sdk';
import {OpenAIModel} from '@strands-agents/sdk/models/openai';
import {start} from '../otel.mjs';
import {askBilling, instructions, tools as plain, user} from '../story.mjs';

const otel = start();
const model = () => new OpenAIModel({api: 'chat', modelId: 'scripted-1'});
const text = result => result.lastMessage.content.map(block => block.text ?? '').join('');

const billing = new Agent({name: 'billing_agent', model: model(), systemPrompt: instructions.billing, printer: false});
const tools = plain.map(({name, description, parameters, run}) => tool({name, description, inputSchema: parameters, callback: run}));
tools.push(tool({name: askBilling.name, description: askBilling.description, inputSchema: askBilling.parameters,
  callback: async ({message}) => text(await billing.invoke(message))}));
const support = new Agent({name: 'support_agent', model: model(), systemPrompt: instructions.support, tools, printer: false});
console.log(text(await support.invoke(user)));
await otel.stop();
