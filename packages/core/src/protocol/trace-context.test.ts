import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatTraceparent, legacyTraceId, parseTraceparent } from './trace-context.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

test('a traceparent of version 00 gives its ids and flags', () => {
  const parent = parseTraceparent(`00-${TRACE}-${SPAN}-01`);

  assert.deepEqual(parent, { traceId: TRACE, parentSpanId: SPAN, flags: 1 });
});

test('flags that nobody has defined yet are taken off', () => {
  assert.equal(parseTraceparent(`00-${TRACE}-${SPAN}-ff`)?.flags, 3);
  assert.equal(parseTraceparent(`00-${TRACE}-${SPAN}-fc`)?.flags, 0);
});

test('a later version is read by its first 55 characters if a dash or nothing follows', () => {
  for (const tail of ['', '-', '-what-the-future-will-bring']) {
    assert.equal(parseTraceparent(`01-${TRACE}-${SPAN}-01${tail}`)?.traceId, TRACE, tail);
  }
  assert.equal(parseTraceparent(`01-${TRACE}-${SPAN}-01x`), undefined);
  assert.equal(parseTraceparent(`01-${TRACE}-${SPAN}-011`), undefined);
});

const broken: [why: string, header: string | undefined][] = [
  ['there is none', undefined],
  ['it is empty', ''],
  ['the version is ff', `ff-${TRACE}-${SPAN}-01`],
  ['version 00 carries more', `00-${TRACE}-${SPAN}-01-more`],
  ['version 00 ends with a dash', `00-${TRACE}-${SPAN}-01-`],
  ['the trace id is all zero', `00-${'0'.repeat(32)}-${SPAN}-01`],
  ['the span id is all zero', `00-${TRACE}-${'0'.repeat(16)}-01`],
  ['the trace id is in upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
  ['the flags are in upper case', `00-${TRACE}-${SPAN}-0A`],
  ['the trace id is short', `00-${TRACE.slice(1)}-${SPAN}-01`],
  ['the flags are missing', `00-${TRACE}-${SPAN}`],
  ['a blank leads', ` 00-${TRACE}-${SPAN}-01`],
  ['a line feed follows', `00-${TRACE}-${SPAN}-01\n`],
  ['the parts are joined by other marks', `00_${TRACE}_${SPAN}_01`],
];
for (const [why, header] of broken) {
  test(`no trace is taken over when ${why}`, () => {
    assert.equal(parseTraceparent(header), undefined);
  });
}

test('what is formatted is parsed back', () => {
  const header = formatTraceparent({ traceId: TRACE, spanId: SPAN, flags: 2 });

  assert.equal(header, `00-${TRACE}-${SPAN}-02`);
  assert.deepEqual(parseTraceparent(header), { traceId: TRACE, parentSpanId: SPAN, flags: 2 });
});

test('a formatted flag is always two digits of known bits', () => {
  assert.match(formatTraceparent({ traceId: TRACE, spanId: SPAN, flags: 0xff }), /-03$/);
});

// The vector is that of the first sample id, UTF-8, with no trailing NUL.
test('the legacy id tr-20250118103000-abc123 of tenant internal has the documented trace id', () => {
  assert.equal(
    legacyTraceId('internal', 'tr-20250118103000-abc123'),
    'f8abbe5f06376ad3029267d05fbfce45',
  );
});

test('another tenant or another legacy id gives another trace id', () => {
  const ids = [
    legacyTraceId('internal', 'trace-7f9c123'),
    legacyTraceId('other', 'trace-7f9c123'),
    legacyTraceId('internal', 'trace-7f9c124'),
  ];

  assert.equal(new Set(ids).size, 3);
});

test('whatever a header says, it is read by the rules or not at all, and read again as written', () => {
  const hex = (count: number) =>
    fc.string({
      unit: fc.constantFrom(...Array.from('0123456789abcdef')),
      minLength: count,
      maxLength: count,
    });
  const sound = fc
    .tuple(hex(2), hex(32), hex(16), hex(2), fc.constantFrom('', '-', '-more'))
    .map(([version, trace, span, flags, tail]) => `${version}-${trace}-${span}-${flags}${tail}`);
  const spoilt = fc
    .tuple(sound, fc.nat(60), fc.string({ maxLength: 3 }))
    .map(([text, at, more]) => text.slice(0, at) + more + text.slice(at + more.length));

  fc.assert(
    fc.property(fc.oneof(sound, spoilt, fc.string()), (header) => {
      const parent = parseTraceparent(header);
      if (parent === undefined) return;
      assert.match(parent.traceId, /^(?!0{32})[0-9a-f]{32}$/);
      assert.match(parent.parentSpanId, /^(?!0{16})[0-9a-f]{16}$/);
      assert.ok(parent.flags >= 0 && parent.flags <= 3);
      const { traceId, parentSpanId: spanId, flags } = parent;
      assert.deepEqual(parseTraceparent(formatTraceparent({ traceId, spanId, flags })), parent);
    }),
    { numRuns: 2_000 },
  );
});
