import { MessageChannel } from 'node:worker_threads';

/**
 * Keeps the process alive until disposed. Whoever waits for a gateway that is away has no open
 * socket, and the clock's timers hold nothing: node would take the process for finished.
 */
export function holdProcess(): Disposable {
  const { port1 } = new MessageChannel();
  port1.ref();
  return { [Symbol.dispose]: () => port1.close() };
}
