// OpenLLMetry on LangChain, with a LangGraph supervisor.
import * as traceloop from '@traceloop/node-server-sdk';
import * as callbacks from '@langchain/core/callbacks/manager';
import {supervisor} from '../graph.mjs';

traceloop.initialize({appName: 'support', baseUrl: process.env.OTEL_EXPORTER_OTLP_ENDPOINT, apiKey: 'none', silenceInitializationMessage: true,
  instrumentModules: {langchain: {callbackManagerModule: callbacks}}});
console.log(await supervisor());
await traceloop.forceFlush();
