// Ends with 0 when the gateway of this container takes work. The image has no curl.
const { REACH_LISTEN_BUSINESS_PORT: business, REACH_LISTEN_AGENTS_PORT: agents } = process.env;
const port = business === 'off' ? (agents ?? '8081') : (business ?? '8080');
const TIMEOUT_MS = 3_000;

try {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal });
  if (!answer.ok) throw new Error(`/readyz answered ${answer.status}`);
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
}
