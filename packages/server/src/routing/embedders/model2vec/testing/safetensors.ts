/** A tensor to be written. */
interface Written {
  dtype: 'F16' | 'F32' | 'F64' | 'I8' | 'I32' | 'I64';
  shape: readonly number[];
  data: readonly number[];
}

const ARRAYS = {
  F16: (data: readonly number[]) => Float16Array.from(data),
  F32: (data: readonly number[]) => Float32Array.from(data),
  F64: (data: readonly number[]) => Float64Array.from(data),
  I8: (data: readonly number[]) => Int8Array.from(data),
  I32: (data: readonly number[]) => Int32Array.from(data),
  I64: (data: readonly number[]) => BigInt64Array.from(data, BigInt),
};

/** A file in the format that models are published in. */
export function safetensors(tensors: Readonly<Record<string, Written>>): Uint8Array {
  const header: Record<string, unknown> = { __metadata__: { format: 'test' } };
  const parts: Buffer[] = [];
  let at = 0;
  for (const [name, { dtype, shape, data }] of Object.entries(tensors)) {
    const numbers = ARRAYS[dtype](data);
    const bytes = Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    header[name] = { dtype, shape, data_offsets: [at, at + bytes.length] };
    at += bytes.length;
    parts.push(bytes);
  }
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return Buffer.concat([length, text, ...parts]);
}
