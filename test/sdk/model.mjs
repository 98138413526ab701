// A scripted model behind the wire formats that the libraries speak: OpenAI chat completions and responses (both also
// streamed), Anthropic messages and Gemini. It keeps no state: what it answers follows from the tools that a request
// offers and from the calls that its history holds; only ids count up. Prints its address; ends when standard input does.
import http from 'node:http';
import {answers, calls} from './story.mjs';

const model = 'scripted-1';
let answered = 0;
const id = prefix => `${prefix}_${++answered}`;
const usage = {prompt_tokens: 120, completion_tokens: 24, total_tokens: 144};
const responsesUsage = {input_tokens: 120, output_tokens: 24, total_tokens: 144,
  input_tokens_details: {cached_tokens: 0}, output_tokens_details: {reasoning_tokens: 0}};

// next is the model's turn: {text}, or {name, args} of a tool to call. tools are {name, schema}.
function next(tools, history) {
  const done = JSON.stringify(history);
  const called = name => done.includes(`call_${name}`) || done.includes(`"functionCall":{"name":"${name}"`);
  const handOff = tools.find(t => /billing|transfer_to_agent|delegate|handoff/i.test(t.name));
  const lookup = tools.find(t => /lookup_?customer/i.test(t.name)), mail = tools.find(t => /send_?email/i.test(t.name));
  if (!lookup) return {text: answers.billing};
  if (!called(lookup.name)) return {name: lookup.name, args: calls.lookup};
  if (!called(mail.name)) return {name: mail.name, args: calls.mail};
  if (handOff && !called(handOff.name)) return {name: handOff.name, args: fill(handOff.schema)};
  return {text: answers.support};
}

// fill writes the hand-off into the arguments that a tool wants. What may be null is.
function fill({properties = {}, required = []}) {
  const wanted = Object.entries(properties).filter(([key]) => !required.length || required.includes(key));
  return Object.fromEntries(wanted.map(([key, s]) =>
    [key, s.anyOf?.some(t => t.type === 'null') ? null : /agent/i.test(key) ? 'billing_agent' : calls.handOff]));
}

function chat(body, send) {
  const {text, name, args} = next(body.tools?.map(t => ({name: t.function.name, schema: t.function.parameters})) ?? [], body.messages);
  const toolCalls = name && [{id: `call_${name}`, type: 'function', function: {name, arguments: JSON.stringify(args)}}];
  const finish_reason = name ? 'tool_calls' : 'stop';
  const head = {id: id('chatcmpl'), created: 1764000000, model};
  if (!body.stream) {
    const message = {role: 'assistant', content: text ?? null, refusal: null, tool_calls: toolCalls || undefined};
    return send.json({...head, object: 'chat.completion', choices: [{index: 0, message, finish_reason, logprobs: null}], usage});
  }
  const chunk = (delta, finish = null) => send.event({...head, object: 'chat.completion.chunk',
    choices: [{index: 0, delta, finish_reason: finish}]});
  chunk({role: 'assistant', content: name ? null : ''});
  if (name) {
    chunk({tool_calls: [{index: 0, ...toolCalls[0], function: {name, arguments: ''}}]});
    halves(toolCalls[0].function.arguments).forEach(half => chunk({tool_calls: [{index: 0, function: {arguments: half}}]}));
  } else halves(text).forEach(half => chunk({content: half}));
  chunk({}, finish_reason);
  send.event({...head, object: 'chat.completion.chunk', choices: [], usage});
  send.end('data: [DONE]\n\n');
}

function responses(body, send) {
  const {text, name, args} = next(body.tools?.map(t => ({name: t.name, schema: t.parameters})) ?? [], body.input);
  const item = name
    ? {type: 'function_call', id: id('fc'), call_id: `call_${name}`, name, arguments: JSON.stringify(args), status: 'completed'}
    : {type: 'message', id: id('msg'), role: 'assistant', status: 'completed', content: [{type: 'output_text', text, annotations: []}]};
  const response = {id: id('resp'), object: 'response', created_at: 1764000000, status: 'completed', model, output: [item],
    error: null, incomplete_details: null, instructions: body.instructions ?? null, tools: body.tools ?? [],
    tool_choice: 'auto', parallel_tool_calls: false, metadata: {}, temperature: 0, top_p: 1, usage: responsesUsage};
  if (!body.stream) return send.json(response);
  let sequence_number = 0;
  const event = (type, fields) => send.event({type, sequence_number: sequence_number++, ...fields}, type);
  const at = {output_index: 0, item_id: item.id};
  event('response.created', {response: {...response, status: 'in_progress', output: [], usage: null}});
  event('response.output_item.added', {output_index: 0, item: {...item, status: 'in_progress', ...(name ? {arguments: ''} : {content: []})}});
  if (name) {
    halves(item.arguments).forEach(delta => event('response.function_call_arguments.delta', {...at, delta}));
    event('response.function_call_arguments.done', {...at, name, arguments: item.arguments});
  } else {
    event('response.content_part.added', {...at, content_index: 0, part: {type: 'output_text', text: '', annotations: []}});
    halves(text).forEach(delta => event('response.output_text.delta', {...at, content_index: 0, delta, logprobs: []}));
    event('response.output_text.done', {...at, content_index: 0, text, logprobs: []});
    event('response.content_part.done', {...at, content_index: 0, part: item.content[0]});
  }
  event('response.output_item.done', {output_index: 0, item});
  event('response.completed', {response});
  send.end();
}

function anthropic(body, send) {
  const {text, name, args} = next(body.tools?.map(t => ({name: t.name, schema: t.input_schema})) ?? [], body.messages);
  send.json({id: id('msg'), type: 'message', role: 'assistant', model, stop_sequence: null,
    stop_reason: name ? 'tool_use' : 'end_turn', usage: {input_tokens: 120, output_tokens: 24},
    content: [name ? {type: 'tool_use', id: `call_${name}`, name, input: args} : {type: 'text', text}]});
}

function gemini(body, send) {
  const tools = body.tools?.flatMap(t => t.functionDeclarations ?? []).map(t => ({name: t.name, schema: t.parameters ?? t.parametersJsonSchema})) ?? [];
  const {text, name, args} = next(tools, body.contents.map(c => c.parts.map(p => p.functionCall && {functionCall: {name: p.functionCall.name}})));
  send.json({modelVersion: model, responseId: id('r'),
    candidates: [{index: 0, finishReason: 'STOP', content: {role: 'model', parts: [name ? {functionCall: {name, args}} : {text}]}}],
    usageMetadata: {promptTokenCount: 120, candidatesTokenCount: 24, totalTokenCount: 144}});
}

const halves = s => [s.slice(0, s.length / 2), s.slice(s.length / 2)];

const server = http.createServer(async (req, res) => {
  let text = '';
  for await (const piece of req) text += piece;
  const send = {
    json: value => res.setHeader('content-type', 'application/json').end(JSON.stringify(value)),
    event: (value, type) => {
      if (!res.headersSent) res.setHeader('content-type', 'text/event-stream');
      res.write(`${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(value)}\n\n`);
    },
    end: last => res.end(last),
  };
  const routes = [[/\/chat\/completions$/, chat], [/\/responses$/, responses], [/\/messages$/, anthropic], [/:generateContent/, gemini]];
  const route = routes.find(([path]) => path.test(req.url.split('?')[0]));
  if (req.method !== 'POST' || !route) return res.writeHead(404).end();
  try {
    route[1](JSON.parse(text), send);
  } catch (err) {
    console.error(err);
    res.writeHead(400).end();
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on('end', () => process.exit()).resume();
