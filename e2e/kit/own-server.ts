/** A server of a store that nobody else uses, so that it may be hurt. */
export interface OwnServer extends AsyncDisposable {
  readonly url: string;
  /** Ends it as it stands, and starts it after so many ms on what it left. */
  crash(awayMs: number): Promise<void>;
}
