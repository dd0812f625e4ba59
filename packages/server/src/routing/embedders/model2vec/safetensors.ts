import { ReachError } from '@agent-reach/core';

/** One tensor of a file, as numbers. */
export interface Tensor {
  shape: readonly number[];
  data: ArrayLike<number>;
}

const HEADER_BYTES_MAX = 1_048_576;

/** How each type of number is read; the bytes begin where they may, so they are copied to an even place. */
const TYPES: Readonly<
  Record<string, { bytes: number; read: (buffer: ArrayBuffer) => ArrayLike<number> }>
> = {
  F64: { bytes: 8, read: (buffer) => new Float64Array(buffer) },
  F32: { bytes: 4, read: (buffer) => new Float32Array(buffer) },
  F16: { bytes: 2, read: (buffer) => new Float16Array(buffer) },
  BF16: { bytes: 2, read: (buffer) => Float32Array.from(new Uint16Array(buffer), bfloat) },
  I64: { bytes: 8, read: (buffer) => Float64Array.from(new BigInt64Array(buffer), Number) },
  I32: { bytes: 4, read: (buffer) => new Int32Array(buffer) },
  I8: { bytes: 1, read: (buffer) => new Int8Array(buffer) },
};

const WORDS = new DataView(new ArrayBuffer(4));

function bfloat(half: number): number {
  WORDS.setUint32(0, half << 16);
  return WORDS.getFloat32(0);
}

/**
 * Reads a safetensors file: the length of a JSON header, the header, then the numbers. Throws
 * `validation-failed` for one that says other than it holds.
 */
export function readSafetensors(file: Uint8Array): ReadonlyMap<string, Tensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const length = file.byteLength < 8 ? Number.NaN : Number(view.getBigUint64(0, true));
  if (!(length <= HEADER_BYTES_MAX) || 8 + length > file.byteLength) {
    throw broken('its header does not fit');
  }
  const numbers = file.subarray(8 + length);
  const tensors = new Map<string, Tensor>();
  for (const [name, about] of Object.entries(headerIn(file.subarray(8, 8 + length)))) {
    if (name !== '__metadata__') tensors.set(name, tensorOf(name, about, numbers));
  }
  return tensors;
}

function headerIn(bytes: Uint8Array): Record<string, unknown> {
  let header: unknown;
  try {
    header = JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw broken('its header is no JSON');
  }
  if (typeof header !== 'object' || header === null) throw broken('its header is no object');
  return header as Record<string, unknown>;
}

function tensorOf(name: string, about: unknown, numbers: Uint8Array): Tensor {
  const { dtype, shape, data_offsets: place } = (about ?? {}) as Record<string, unknown>;
  const type = typeof dtype === 'string' ? TYPES[dtype] : undefined;
  if (type === undefined) throw broken(`${name} is of type ${String(dtype)}, which is not read`);
  if (!isCounts(shape) || !isCounts(place)) throw broken(`${name} has no shape or no place`);
  const [from = 0, to = 0] = place;
  const size = shape.reduce((product, side) => product * side, type.bytes);
  if (from > to || to > numbers.byteLength || to - from !== size) {
    throw broken(`${name} says ${size} bytes and has another place`);
  }
  // A copy in any case: a Buffer's own `slice` is a view.
  const own = new Uint8Array(numbers.subarray(from, to));
  return { shape, data: type.read(own.buffer) };
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((one) => Number.isSafeInteger(one) && one >= 0);
}

function broken(why: string): ReachError {
  return new ReachError(
    'validation-failed',
    `The model's safetensors file cannot be read: ${why}.`,
  );
}
