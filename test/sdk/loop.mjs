// The story as an application writes it by hand over a plain client, for the libraries that trace a client and leave the
// agents to the application.
import {askBilling, handOff, instructions, tools, user} from './story.mjs';

// run makes the run. chat is one request of a wire format below. agent(name, fn) and tool(name, fn) return fn under a
// span of the library. Support hands off to billing, or asks it with asked.
export async function run({chat, agent = (_, fn) => fn, tool = (_, fn) => fn, asked = false}) {
  const billing = agent('billing_agent', async message => {
    return (await chat([{system: instructions.billing}, {user: message}], [])).text;
  });
  const ready = Object.fromEntries(tools.map(t => [t.name, tool(t.name, t.run)]));
  if (asked) ready[askBilling.name] = tool(askBilling.name, args => billing(args.message));
  const support = agent('support_agent', async text => {
    const turns = [{system: instructions.support}, {user: text}];
    for (;;) {
      const turn = await chat(turns, [...tools, asked ? askBilling : handOff]);
      if (!turn.name) return turn.text;
      if (turn.name === handOff.name) return billing(turn.args.message);
      const result = await ready[turn.name](turn.args);
      turns.push({call: turn}, {result, of: turn});
    }
  });
  return support(user);
}

const text = value => typeof value === 'string' ? value : JSON.stringify(value);

// Each of these makes turns into a request of its format and the answer into {text} or {id, name, args}.
export const chatCompletions = (client, {stream} = {}) => async (turns, offered) => {
  const messages = turns.map(t =>
    t.system ? {role: 'system', content: t.system} : t.user ? {role: 'user', content: t.user} :
    t.call ? {role: 'assistant', content: null, tool_calls: [{id: t.call.id, type: 'function',
      function: {name: t.call.name, arguments: JSON.stringify(t.call.args)}}]} :
    {role: 'tool', tool_call_id: t.of.id, content: text(t.result)});
  const request = {model: 'scripted-1', messages};
  if (offered.length) request.tools = offered.map(({name, description, parameters}) => ({type: 'function', function: {name, description, parameters}}));
  if (stream) return streamed(await client.chat.completions.create({...request, stream: true}));
  const {message} = (await client.chat.completions.create(request)).choices[0];
  const call = message.tool_calls?.[0];
  return call ? {id: call.id, name: call.function.name, args: JSON.parse(call.function.arguments)} : {text: message.content};
};

async function streamed(chunks) {
  let content = '', id, name, args = '';
  for await (const {choices: [choice]} of chunks) {
    const call = choice?.delta?.tool_calls?.[0];
    content += choice?.delta?.content ?? '';
    id ??= call?.id;
    name ??= call?.function?.name;
    args += call?.function?.arguments ?? '';
  }
  return name ? {id, name, args: JSON.parse(args)} : {text: content};
}

export const responses = client => async (turns, offered) => {
  const input = turns.map(t =>
    t.system ? {role: 'system', content: t.system} : t.user ? {role: 'user', content: t.user} :
    t.call ? {type: 'function_call', call_id: t.call.id, name: t.call.name, arguments: JSON.stringify(t.call.args)} :
    {type: 'function_call_output', call_id: t.of.id, output: text(t.result)});
  const request = {model: 'scripted-1', input};
  if (offered.length) request.tools = offered.map(({name, description, parameters}) => ({type: 'function', name, description, parameters, strict: true}));
  const response = await client.responses.create(request);
  const call = response.output.find(item => item.type === 'function_call');
  return call ? {id: call.call_id, name: call.name, args: JSON.parse(call.arguments)} : {text: response.output_text};
};

export const anthropicMessages = client => async (turns, offered) => {
  const messages = turns.slice(1).map(t =>
    t.user ? {role: 'user', content: t.user} :
    t.call ? {role: 'assistant', content: [{type: 'tool_use', id: t.call.id, name: t.call.name, input: t.call.args}]} :
    {role: 'user', content: [{type: 'tool_result', tool_use_id: t.of.id, content: text(t.result)}]});
  const request = {model: 'scripted-1', max_tokens: 500, system: turns[0].system, messages};
  if (offered.length) request.tools = offered.map(({name, description, parameters}) => ({name, description, input_schema: parameters}));
  const [block] = (await client.messages.create(request)).content;
  return block.type === 'tool_use' ? {id: block.id, name: block.name, args: block.input} : {text: block.text};
};
