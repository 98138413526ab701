// OpenLIT on the OpenAI client: content is on spans and in log events. It sets OpenTelemetry up itself.
import {Openlit} from 'openlit';
import OpenAI from 'openai';
import {chatCompletions, run} from '../loop.mjs';
import {inSpan} from '../otel.mjs';

Openlit.init({applicationName: 'support', otlpEndpoint: process.env.OTEL_EXPORTER_OTLP_ENDPOINT, disableBatch: true,
  disableMetrics: true, pricingJson: process.env.MODEL_URL, instrumentations: {openai: OpenAI}});
console.log(await inSpan('POST /support', run)({chat: chatCompletions(new OpenAI())}));
