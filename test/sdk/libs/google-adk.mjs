// Google ADK: a coordinator with a sub-agent. transfer_to_agent carries no message.
import {FunctionTool, InMemoryRunner, LlmAgent} from '@google/adk';
import {z} from 'zod';
import {start} from '../otel.mjs';
import {instructions, tools, user} from '../story.mjs';

const otel = start();
const zod = ({required}) => z.object(Object.fromEntries(required.map(name => [name, z.string()])));
const model = 'gemini-2.5-flash';
const billing = new LlmAgent({name: 'billing_agent', description: 'Reopens cases', model, instruction: instructions.billing});
const support = new LlmAgent({
  name: 'support_agent', model, instruction: instructions.support, subAgents: [billing],
  tools: tools.map(({name, description, parameters, run}) => new FunctionTool({name, description, parameters: zod(parameters), execute: run})),
});
const runner = new InMemoryRunner({agent: support, appName: 'support'});
const session = await runner.sessionService.createSession({appName: 'support', userId: 'u-1'});
let answer;
for await (const event of runner.runAsync({userId: 'u-1', sessionId: session.id, newMessage: {role: 'user', parts: [{text: user}]}})) {
  answer = event.content?.parts?.map(part => part.text ?? '').join('') || answer;
}
console.log(answer);
await otel.stop();
