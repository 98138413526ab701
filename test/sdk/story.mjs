// The run that every library makes: a customer writes to a support agent, which looks the customer up, mails the clinic
// desk, and lets a billing agent reopen the case. All that is sensitive in it is synthetic; sdk_test.go knows which value
// enters and leaves where.
export const user = 'Hello, case 7731 is mine. Write to me at robin.castle@example.org. I paid with card ' +
  '5555 5555 5555 4444 and my SSN is 536-90-4271. Please read my file, inform the clinic desk and reopen the case.';

export const instructions = {
  support: 'You work at the support desk. Read the file, mail the clinic desk, then involve billing.',
  billing: 'You are the billing desk. Reopen cases.',
};

// What the model writes.
export const calls = {
  lookup: {email: 'robin.castle@example.org'},
  mail: {recipient: 'clinic desk', text: 'The patient has been diagnosed with epilepsy. Charge card 5555 5555 5555 4444.'},
  handOff: 'Reopen case 7731, please. The SSN of the customer is 536-90-4271.',
};
export const answers = {
  billing: 'The case is open again. We will write to robin.castle@example.org.',
  support: 'All done. Billing has your case open again and will write to robin.castle@example.org.',
};

// What the tools return.
export const lookupCustomer = async () => ({account: 'A-2209', diagnosis: 'epilepsy', salary: 91250,
  iban: 'DE89370400440532013000', api_key: 'sk-test-9fKq2LmZx7RtVw4bYc8NhD3sGpJe6A'});
export const sendEmail = async () => ({status: 'sent', id: 'm-31'});

const strings = (...names) => ({type: 'object', additionalProperties: false, required: names,
  properties: Object.fromEntries(names.map(name => [name, {type: 'string'}]))});

// The tools of the support agent, with JSON schemas.
export const tools = [
  {name: 'lookup_customer', description: 'Read the file of a customer', parameters: strings('email'), run: lookupCustomer},
  {name: 'send_email', description: 'Send an e-mail', parameters: strings('recipient', 'text'), run: sendEmail},
];

// How it reaches billing: by a call whose result comes back, or by a hand-off, after which billing has the last word.
export const askBilling = {name: 'ask_billing', description: 'Let billing handle the case', parameters: strings('message')};
export const handOff = {name: 'transfer_to_billing', description: 'Hand the case to billing', parameters: strings('message')};
