import {
  type Capability,
  type Issue,
  type JsonSchema,
  type ManifestFormA,
  ReachError,
} from '@agent-reach/core';
import { withMargin } from '../../resilience/timeouts.ts';
import { type Allowance, admitSchema } from '../../schemas/intake.ts';
import { LIMITS } from '../../schemas/limits.ts';
import { baseUrlFault, pathFault, tidyBaseUrl } from './addresses.ts';
import { readSchema } from './shorthand.ts';
import { lineFault } from './text.ts';

/** Limits that the operator sets. */
export interface IntakeLimits {
  /** The longest that the gateway may wait for a call at all. */
  callTimeoutMaxMs: number;
}

/** What may be said of time and pace, of a capability or of all that an agent has. */
export interface Sla {
  timeout_ms?: number;
  max_timeout_ms?: number;
  max_qps?: number;
}

/** The agent's own limit when its manifest says none. */
const TIMEOUT_MS = 2_000;
const ISSUES_MAX = 8;
/** Metadata is for people to look at; what is larger belongs behind a link. */
const METADATA_BYTES_MAX = 16 * 1024;

/** Reads parts of a body, and collects what breaks a rule, so that its sender sees all of it at once. */
export class Reading {
  readonly warnings: string[];
  readonly limits: IntakeLimits;
  readonly #refusals: Issue[] = [];
  readonly #late: Issue[] = [];
  readonly #allowance: Allowance = { patternSizes: LIMITS.patternSizes };

  constructor(warnings: string[], limits: IntakeLimits) {
    this.warnings = warnings;
    this.limits = limits;
  }

  refuse(...issues: readonly (Issue | undefined)[]): void {
    for (const issue of issues) if (issue !== undefined) this.#refusals.push(issue);
  }

  /** Text that may have several lines. */
  text(value: string): string {
    return value.normalize('NFC');
  }

  /** A name, a title: one line. */
  line(value: string, pointer: string): string {
    this.refuse(lineFault(value, pointer));
    return value.normalize('NFC');
  }

  version(value: string | number | undefined, pointer: string): { version?: string } {
    if (value === undefined) return {};
    if (typeof value === 'number') {
      const detail = 'is a number, in which 1.10 is 1.1: put it in quotes';
      this.warnings.push(`${pointer} ${detail}.`);
    }
    return { version: this.line(String(value), pointer) };
  }

  /** A list item is a key without a value. */
  tags(tags: ManifestFormA['tags'], pointer: string): Record<string, string> {
    const entries: [string, string][] = Array.isArray(tags)
      ? tags.map((tag) => [tag, ''])
      : Object.entries(tags ?? {});
    return Object.fromEntries(
      entries.map(([key, value]) => [this.line(key, pointer), this.line(value, pointer)]),
    );
  }

  baseUrl(url: string | undefined, pointer: string): { base_url?: string } {
    if (url === undefined) return {};
    const fault = baseUrlFault(url, pointer);
    this.refuse(fault);
    return fault === undefined ? { base_url: tidyBaseUrl(url) } : {};
  }

  path(path: string, pointer: string): string {
    this.refuse(pathFault(path, pointer));
    return path;
  }

  /** A schema in full or in short form; the pointers of its faults lead into the body. */
  schema(raw: Record<string, unknown> | undefined, pointer: string): JsonSchema {
    if (raw === undefined) return {};
    const read = readSchema(raw, pointer);
    if (read.isRefused) {
      this.refuse(read.issue);
      return {};
    }
    const added = `${pointer}/properties/`;
    for (const issue of admitSchema(read.schema, pointer, this.#allowance)) {
      const isMoved = read.isShort && issue.pointer.startsWith(added);
      const original = isMoved ? `${pointer}/${issue.pointer.slice(added.length)}` : issue.pointer;
      this.refuse({ ...issue, pointer: original });
    }
    return read.schema;
  }

  /** The time a capability may take: the gateway, which waits a margin longer, must still wait. */
  timeoutMs(ms: number, pointer: string): number {
    const gatewayMs = withMargin(ms);
    const { callTimeoutMaxMs } = this.limits;
    if (gatewayMs > callTimeoutMaxMs) {
      const detail = `is ${ms}: the gateway would wait ${gatewayMs} ms, and waits at most ${callTimeoutMaxMs} ms (call.timeout.max); longer work is a task`;
      this.#late.push({ pointer, detail });
    }
    return ms;
  }

  /** What a capability says of its time, else what its agent says; a limit is held to its cap. */
  sla(own: Sla | undefined, agent: Sla | undefined, pointer: string): Capability['sla'] {
    const timeoutMs = own?.timeout_ms ?? agent?.timeout_ms ?? TIMEOUT_MS;
    const maxMs = own?.max_timeout_ms ?? agent?.max_timeout_ms;
    if (maxMs !== undefined && maxMs < timeoutMs) {
      const detail = `is ${timeoutMs}, and max_timeout_ms allows ${maxMs}`;
      this.refuse({ pointer, detail });
    }
    return {
      timeout_ms: this.timeoutMs(timeoutMs, pointer),
      ...(maxMs === undefined ? {} : { max_timeout_ms: this.timeoutMs(maxMs, pointer) }),
      ...(own?.max_qps === undefined ? {} : { max_qps: own.max_qps }),
    };
  }

  metadata(metadata: Record<string, unknown> | undefined): Record<string, unknown> {
    const bytes = Buffer.byteLength(JSON.stringify(metadata ?? {}));
    if (bytes > METADATA_BYTES_MAX) {
      const detail = `has ${bytes} bytes, at most ${METADATA_BYTES_MAX}`;
      this.refuse({ pointer: '#/metadata', detail });
    }
    return metadata ?? {};
  }

  /** Throws what was collected, if anything was. */
  finish(agentId: string): void {
    const issues = [...this.#refusals, ...this.#late].slice(0, ISSUES_MAX);
    const [first] = issues;
    if (first === undefined) return;
    const code = this.#refusals.length > 0 ? 'manifest-refused' : 'timeout-order';
    const limit = code === 'timeout-order' ? { limit: this.limits.callTimeoutMaxMs } : {};
    throw new ReachError(
      code,
      `The manifest of ${agentId} is refused: ${first.pointer} ${first.detail}.`,
      { errors: issues, agent: agentId, ...limit },
    );
  }
}
