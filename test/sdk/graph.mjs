// The story in LangGraph: a supervisor with the customer's tools and a billing agent as its worker.
import {tool} from '@langchain/core/tools';
import {ToolMessage} from '@langchain/core/messages';
import {Command, getCurrentTaskInput} from '@langchain/langgraph';
import {createReactAgent} from '@langchain/langgraph/prebuilt';
import {createSupervisor} from '@langchain/langgraph-supervisor';
import {ChatOpenAI} from '@langchain/openai';
import {handOff, instructions, tools, user} from './story.mjs';

// supervisor runs it and returns the last message's text. config is that of an invocation, such as callbacks.
export async function supervisor(config) {
  const model = new ChatOpenAI({model: 'scripted-1', useResponsesApi: false});
  const billing = createReactAgent({llm: model, tools: [], name: 'billing_agent', prompt: instructions.billing});
  const transfer = tool(({message}, {toolCall}) => new Command({
    goto: 'billing_agent', graph: Command.PARENT,
    update: {messages: [...getCurrentTaskInput().messages,
      new ToolMessage({content: message, name: handOff.name, tool_call_id: toolCall.id})]},
  }), {name: handOff.name, description: handOff.description, schema: handOff.parameters});
  const app = createSupervisor({
    llm: model, agents: [billing], supervisorName: 'support_agent', prompt: instructions.support,
    tools: [...tools.map(({name, description, parameters, run}) => tool(run, {name, description, schema: parameters})), transfer],
  }).compile();
  const {messages} = await app.invoke({messages: [{role: 'user', content: user}]}, config);
  return messages.at(-1).content;
}
