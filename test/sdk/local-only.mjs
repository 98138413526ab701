// Preloaded into every run: no name but that of this machine is looked up, so a library's own telemetry goes nowhere.
import dns from 'node:dns';

const lookup = dns.lookup;
dns.lookup = (host, options, callback) => {
  if (['localhost', '127.0.0.1', '::1'].includes(host)) return lookup(host, options, callback);
  (callback ?? options)(Object.assign(new Error('not in this test: only this machine is reachable'), {code: 'ENOTFOUND'}));
};
