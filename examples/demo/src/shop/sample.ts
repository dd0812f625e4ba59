// The customer of a labelled question says what he wants and seldom his order number. Who asks him for
// it would get it; here it is filled in from the schema, after it was decided who is meant.

/** A value for each parameter that a schema demands, as its description exemplifies it. */
export function sampleOf(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { required, properties } = schema;
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const of = isSchema(properties) ? properties : {};
  return Object.fromEntries(names.map((name) => [name, valueOf(name, of[name])]));
}

/** What stands behind these in a description is a value. */
const EXAMPLE = /(?:例如|如|e\.g\.|such as)\s*([\w-]+)/;

function valueOf(name: string, schema: unknown): unknown {
  if (!isSchema(schema)) return name;
  const { type, enum: choices, default: usual, minimum, items, description } = schema;
  if (usual !== undefined) return usual;
  if (Array.isArray(choices)) return choices[0];
  switch (type) {
    case 'integer':
    case 'number':
      return typeof minimum === 'number' ? minimum : 1;
    case 'boolean':
      return false;
    case 'array':
      return [valueOf(name, items)];
    case 'object':
      return sampleOf(schema);
    default: {
      const example = typeof description === 'string' ? EXAMPLE.exec(description)?.[1] : undefined;
      return example ?? name;
    }
  }
}

function isSchema(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
