/**
 * Random JSON for a DTO: mostly what it asks for, with mutations and noise.
 * Invariant: a document is an object as JSON.parse would make it.
 */
import fc from 'fast-check';
import type { JsonValue } from 'toolcrib';
import { type Family, formOf, JSON_POOL } from '../../fixtures/rule-forms';
import type { DtoSpec, PropertySpec, Shape } from './dto-spec';

const DATES = [
  '2024-02-29T10:00:00Z',
  '1999-12-31T23:59:59Z',
  '2024-01-31T09:30:00.5+02:00',
  '2024-02-30T10:00:00Z',
  '2024-02-29',
  'http://localhost:3000',
  'soon',
];

/** Values on which class-validator and a stricter reading are known to differ. */
const EDGES: Readonly<Partial<Record<Family, readonly JsonValue[]>>> = {
  text: ['❤️❤️', 'a❤️', '💩', '💩💩'],
  number: ['High', 2 ** 53, 1e21],
  any: ['B', 'A'],
};

const EXTRA_KEYS = ['extra', 'a/b', '__proto__', 'constructor', 'toString', 'prototype'];

function poolOf(family: Family): readonly JsonValue[] {
  const isFit = (value: JsonValue) => {
    if (family === 'text') return typeof value === 'string';
    if (family === 'number') return typeof value === 'number';
    if (family === 'boolean') return typeof value === 'boolean';
    if (family === 'array') return Array.isArray(value);
    return family === 'any' || (typeof value === 'object' && value !== null && !Array.isArray(value));
  };
  return JSON_POOL.filter(isFit);
}

/** A JSON object that has a key in addition, `__proto__` as an own one too. */
function withKey(object: JsonValue, key: string, value: JsonValue): JsonValue {
  const entries = typeof object === 'object' && object !== null ? Object.entries(object) : [];
  return Object.fromEntries([...entries, [key, value]]);
}

function extended(object: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc
    .tuple(object, fc.constantFrom(...EXTRA_KEYS), fc.constantFrom(...JSON_POOL))
    .map(([one, key, value]) => withKey(one, key, value));
}

const NOISE: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom(...JSON_POOL),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.integer({ min: -5, max: 5 }),
  extended(fc.constant({})),
  extended(fc.constant({})).map((one): JsonValue => [one]),
);

function shapeValue(shape: Shape): fc.Arbitrary<JsonValue> {
  if (shape.kind === 'date') return fc.constantFrom(...DATES);
  if (shape.kind === 'allow') return NOISE;
  if (shape.kind === 'nested') return arbitraryDocument(shape.dto);
  const samples = shape.ids.map((id) => formOf(id).sample);
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...samples) },
    { weight: 3, arbitrary: fc.constantFrom(...poolOf(shape.family)) },
    { weight: 2, arbitrary: fc.constantFrom(...(EDGES[shape.family] ?? samples)) },
    ...(shape.family === 'text'
      ? [{ weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) }]
      : []),
  );
}

/** The value of a property; undefined leaves it out. */
function propertyValue({
  shape,
  each,
  optional,
  initialised,
}: PropertySpec): fc.Arbitrary<JsonValue | undefined> {
  const one = shapeValue(shape);
  const many = fc.array(one, { maxLength: 3 });
  const fit: fc.Arbitrary<JsonValue> = each ? many : one;
  const misfit: fc.Arbitrary<JsonValue> = each ? one : many;
  const isSpared = optional || initialised;
  return fc.oneof(
    { weight: 36, arbitrary: fit },
    { weight: 2, arbitrary: misfit },
    { weight: 1, arbitrary: NOISE },
    { weight: isSpared ? 5 : 1, arbitrary: fc.constant(null) },
    { weight: isSpared ? 5 : 2, arbitrary: fc.constant(undefined) },
  );
}

/** Documents for a DTO. */
export function arbitraryDocument(spec: DtoSpec): fc.Arbitrary<JsonValue> {
  const values = Object.entries(spec.properties).map(([name, property]) =>
    propertyValue(property).map((value): readonly [string, JsonValue | undefined] => [name, value]),
  );
  const whole = fc
    .tuple(...values)
    .map((entries) =>
      Object.fromEntries(
        entries.flatMap(([name, value]): [string, JsonValue][] =>
          value === undefined ? [] : [[name, value]],
        ),
      ),
    );
  return fc.oneof({ weight: 16, arbitrary: whole }, { weight: 1, arbitrary: extended(whole) });
}
