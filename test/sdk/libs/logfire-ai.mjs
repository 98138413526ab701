// Logfire under the AI SDK: each span is exported twice, and the mail tool writes a Logfire log.
import {createOpenAI} from '@ai-sdk/openai';
import * as logfire from '@pydantic/logfire-node';
import {generateText, jsonSchema, stepCountIs, tool} from 'ai';
import {askBilling, instructions, tools as plain, user} from '../story.mjs';

logfire.configure({serviceName: 'support', token: 'none', console: false, metrics: false,
  advanced: {baseUrl: process.env.OTEL_EXPORTER_OTLP_ENDPOINT}});
const model = createOpenAI().chat('scripted-1');
const telemetry = functionId => ({experimental_telemetry: {isEnabled: true, functionId}});

const tools = Object.fromEntries(plain.map(({name, description, parameters, run}) => [name, tool({
  description, inputSchema: jsonSchema(parameters),
  execute: args => {
    if (name === 'send_email') logfire.info('mail sent', args);
    return run(args);
  },
})]));
tools[askBilling.name] = tool({
  description: askBilling.description,
  inputSchema: jsonSchema(askBilling.parameters),
  execute: async ({message}) =>
    (await generateText({model, system: instructions.billing, prompt: message, ...telemetry('billing_agent')})).text,
});
const {text} = await generateText({model, tools, system: instructions.support, prompt: user, stopWhen: stepCountIs(6), ...telemetry('support_agent')});
console.log(text);
await logfire.shutdown();
