// The OpenTelemetry instrumentation of the OpenAI client: content is in log events only. API=chat or responses.
import {metrics} from '@opentelemetry/api';
import {OpenAIInstrumentation} from '@opentelemetry/instrumentation-openai';
import {chatCompletions, responses, run} from '../loop.mjs';
import {inSpan, require, start} from '../otel.mjs';

const otel = start();
const instrumentation = new OpenAIInstrumentation({captureMessageContent: true});
instrumentation.setTracerProvider(otel.tracerProvider);
instrumentation.setMeterProvider(metrics.getMeterProvider());
instrumentation.setLoggerProvider(otel.loggerProvider);
instrumentation.enable();
const {OpenAI} = require('openai');

const client = new OpenAI();
const chat = process.env.API === 'responses' ? responses(client) : chatCompletions(client);
console.log(await inSpan('POST /support', run)({chat}));
await otel.stop();
