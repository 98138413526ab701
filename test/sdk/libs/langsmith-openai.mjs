// LangSmith on the OpenAI client in its OpenTelemetry mode, which sets OpenTelemetry up itself.
import {initializeOTEL} from 'langsmith/experimental/otel/setup';
import {traceable} from 'langsmith/traceable';
import {wrapOpenAI} from 'langsmith/wrappers';
import OpenAI from 'openai';
import {chatCompletions, run} from '../loop.mjs';

const otel = initializeOTEL({exporterConfig: {url: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`}});
console.log(await run({
  chat: chatCompletions(wrapOpenAI(new OpenAI())),
  agent: (name, fn) => traceable(fn, {name, run_type: 'chain'}),
  tool: (name, fn) => traceable(fn, {name, run_type: 'tool'}),
}));
await otel.DEFAULT_LANGSMITH_SPAN_PROCESSOR.shutdown();
