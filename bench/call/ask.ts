/** What a gateway answers. The agent and the proxy answer their result alone. */
export type Answered = Record<string, unknown> & { data: Record<string, unknown> };

/** Asks once, aside from any measurement. Throws what was answered if it is no success. */
export async function ask(
  url: string,
  { method = 'POST', headers = {}, body }: Asked,
): Promise<Answered> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Answered;
}

interface Asked {
  method?: 'POST' | 'PUT';
  headers?: Record<string, string>;
  /** A text goes as it is. */
  body: unknown;
}
