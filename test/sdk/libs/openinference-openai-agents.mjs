// OpenInference on the OpenAI Agents SDK, with a hand-off that carries a message.
import * as agents from '@openai/agents';
import {OpenAIAgentsInstrumentation} from '@arizeai/openinference-instrumentation-openai-agents';
import {z} from 'zod';
import {start} from '../otel.mjs';
import {instructions, tools, user} from '../story.mjs';

const otel = start();
const instrumentation = new OpenAIAgentsInstrumentation({tracerProvider: otel.tracerProvider});
instrumentation.manuallyInstrument(agents);
agents.setOpenAIAPI(process.env.API === 'responses' ? 'responses' : 'chat_completions');

const billing = new agents.Agent({name: 'billing_agent', model: 'scripted-1', instructions: instructions.billing});
const support = new agents.Agent({
  name: 'support_agent', model: 'scripted-1', instructions: instructions.support,
  tools: tools.map(({name, description, parameters, run}) => agents.tool({name, description, parameters, execute: run})),
  handoffs: [agents.handoff(billing, {inputType: z.object({message: z.string()}), onHandoff: () => {}})],
});
console.log((await agents.run(support, user)).finalOutput);
await otel.stop();
