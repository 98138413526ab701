// OpenInference on LangChain, with a LangGraph supervisor.
import {LangChainInstrumentation} from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import {start} from '../otel.mjs';
import {supervisor} from '../graph.mjs';

const otel = start();
new LangChainInstrumentation({tracerProvider: otel.tracerProvider}).manuallyInstrument(callbacks);
console.log(await supervisor());
await otel.stop();
