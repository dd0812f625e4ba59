/**
 * What a schema from outside may cost, in one place. Each bound keeps one registration, or one
 * call, from holding the event loop: Ajv turns a schema into a program, so size is time.
 *
 * Measured (Node 26, CPU time of the loop's thread, a process that had compiled one small schema):
 * the costliest shape that we know within these bounds, a `oneOf` of 299 `const`, compiles in
 * 29 ms and runs the first time, when V8 compiles in turn, in 16 ms. With the 2 000 keywords that
 * were planned at first it was 93 + 91 ms, and Ajv's own optimiser, which is quadratic and
 * therefore off, took another 230 ms.
 */
export const LIMITS = {
  /** Of the schema as JSON, in UTF-8. */
  bytes: 64 * 1024,
  /** Schemas inside schemas; the root is the first level. */
  depth: 32,
  /** JSON inside `enum`, `const`, `default`, `examples` and `x-…`. */
  valueDepth: 32,
  /**
   * Keywords that become code, plus branches of combinators, plus names that a keyword lists.
   * Annotations are free: they cost bytes, no time.
   */
  parts: 600,
  /** Entries of `properties`, `$defs`, `patternProperties` and `dependentSchemas`, each. */
  entries: 200,
  enumValues: 1000,
  /** Names under one key of `dependentRequired`: Ajv's code for them grows with the square. */
  dependents: 32,
  /** Characters of one `pattern`. */
  patternChars: 1024,
  /** Instructions of one compiled pattern; `[a-z]{1,499}` has 1 000. */
  patternSize: 1000,
  /** Instructions of all patterns that arrive together: 15 ms of compiling. */
  patternSizes: 8000,
  /**
   * Each definition that a `$ref` reaches counts one, plus the depth at which it refers further.
   * Ajv compiles definitions by recursion; its stack ends at about twice this.
   */
  referenceSteps: 192,
  /** `uniqueItems` of objects compares pairs in most validators, those of callers included. */
  uniqueItems: 256,
  /** Faults told at once. More would be read by nobody. */
  issues: 8,
} as const;

/** Names in a `required` from which Ajv makes a loop of them, whose code does not grow. */
export const LOOPED_FROM = 8;

/** The formats that a schema may name. Each is checked in linear time and bounded in length. */
export const FORMAT_NAMES = [
  'date-time',
  'date',
  'time',
  'email',
  'uuid',
  'uri',
  'hostname',
  'ipv4',
  'ipv6',
] as const;
