// The AI SDK: AI_SDK=5, 6 or 7, MODE=generate, stream or responses. The billing agent is called from a tool.
import {start} from '../otel.mjs';
import {askBilling, instructions, tools as plain, user} from '../story.mjs';

const {AI_SDK, MODE = 'generate'} = process.env;
const packages = {5: ['ai-5', 'ai-sdk-openai-2'], 6: ['ai', '@ai-sdk/openai'], 7: ['ai-7', 'ai-sdk-openai-4']}[AI_SDK];
const {generateText, jsonSchema, registerTelemetry, stepCountIs, streamText, tool} = await import(packages[0]);
const {createOpenAI} = await import(packages[1]);

const otel = start();
if (AI_SDK === '7') registerTelemetry(new (await import('@ai-sdk/otel')).OpenTelemetry());
const openai = createOpenAI();
const model = MODE === 'responses' ? openai.responses('scripted-1') : openai.chat('scripted-1');
const telemetry = functionId => 
  ({[AI_SDK === '7' ? 'telemetry' : 'experimental_telemetry']: {isEnabled: true, functionId}});

const tools = Object.fromEntries(plain.map(({name, description, parameters, run}) =>
  [name, tool({description, inputSchema: jsonSchema(parameters), execute: run})]));
tools[askBilling.name] = tool({
  description: askBilling.description,
  inputSchema: jsonSchema(askBilling.parameters),
  execute: async ({message}) =>
    (await generateText({model, system: instructions.billing, prompt: message, ...telemetry('billing_agent')})).text,
});

const request = {model, tools, system: instructions.support, prompt: user, stopWhen: stepCountIs(6), ...telemetry('support_agent')};
const answer = MODE === 'stream' ? await streamText(request).text : (await generateText(request)).text;
console.log(answer);
await otel.stop();
