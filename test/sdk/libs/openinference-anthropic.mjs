// OpenInference on the Anthropic client. The billing agent is called as a tool.
import {Anthropic} from '@anthropic-ai/sdk';
import * as module from '@anthropic-ai/sdk';
import {traceAgent, traceTool} from '@arizeai/openinference-core';
import {AnthropicInstrumentation} from '@arizeai/openinference-instrumentation-anthropic';
import {anthropicMessages, run} from '../loop.mjs';
import {start} from '../otel.mjs';

const otel = start();
new AnthropicInstrumentation({tracerProvider: otel.tracerProvider}).manuallyInstrument({...module, default: Anthropic});

console.log(await run({
  chat: anthropicMessages(new Anthropic()),
  agent: (name, fn) => traceAgent(fn, {name}),
  tool: (name, fn) => traceTool(fn, {name}),
  asked: true,
}));
await otel.stop();
