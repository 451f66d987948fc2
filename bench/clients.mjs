// Many clients at once: node bench/clients.mjs ADDRESS [SECONDS] [CLIENTS]
//
// Each client asks one question after another of a running `rowan serve`: neighbours, histograms, rows,
// panels, names, scores, analogies. Prints one JSON object; exits with 1 if an answer was not 200 or
// differed from what the same question got before. "Ask again in a moment" (503) is counted apart, and a
// failure only where it is more than a tenth of the answers: what a machine cannot do, it has to say.
const [address, seconds = '60', clients = '200'] = process.argv.slice(2);
if (!address) {
  console.error('usage: node bench/clients.mjs ADDRESS [SECONDS] [CLIENTS]');
  process.exit(2);
}
const questions = [];
for (let id = 1000; id < 1040; id++) {
  questions.push(`near?token=%23${id}&k=10`, `histogram?token=%23${id}`, `row?token=%23${id}`, `panel?from=${id}&rows=256`, `names?from=${id}&count=500`, `score?token=%23${id}&k=10`, `analogy?expression=%23${id}+-+%23${id + 1}+%2B+%23${id + 2}`);
}
const tags = new Map();
const millis = [];
const failures = new Map();
const fail = (what) => failures.set(what, (failures.get(what) ?? 0) + 1);
const end = Date.now() + 1000 * Number(seconds);
let bytes = 0;
let busy = 0;

async function client(number) {
  for (let i = number * 7; Date.now() < end; i += 11) {
    const question = questions[i % questions.length];
    const began = performance.now();
    try {
      const answer = await fetch(new URL(`/api/v1/${question}`, address));
      bytes += (await answer.arrayBuffer()).byteLength;
      if (answer.status === 503) busy++;
      else if (answer.status !== 200) fail(`status ${answer.status}`);
      else if ((tags.get(question) ?? answer.headers.get('etag')) !== answer.headers.get('etag')) fail(`${question} has two answers`);
      else tags.set(question, answer.headers.get('etag'));
    } catch (error) {
      fail(error.cause?.code ?? error.message);
    }
    millis.push(performance.now() - began);
  }
}

await Promise.all(Array.from({ length: Number(clients) }, (_, number) => client(number)));
if (busy > millis.length / 10) fail('busy');
millis.sort((a, b) => a - b);
const at = (share) => Math.round(millis[Math.min(millis.length - 1, Math.floor(share * millis.length))]);
console.log(JSON.stringify({
  clients: Number(clients), seconds: Number(seconds), answers: millis.length, perSecond: Math.round(millis.length / Number(seconds)), megabytes: Math.round(bytes / 1e6),
  medianMillis: at(0.5), p99Millis: at(0.99), worstMillis: at(1), busy, failures: Object.fromEntries(failures),
}));
process.exit(failures.size ? 1 : 0);
