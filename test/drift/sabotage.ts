/**
 * Breaks a schema on purpose, one keyword at a time, and sees whether the check finds out.
 * Invariant: a fault is shared by schema and gate, as a wrong emitter would make it.
 */
import Ajv2020 from 'ajv/dist/2020';
import { inputContract, type JsonSchema, type JsonValue } from 'toolcrib';
import { compileStrictly, isJsonObject } from '../fixtures/strict-schema';
import { jsonText } from './json-text';
import { type Answers, askValidator, judge, leftToValidator } from './judge';
import { Random } from './random';
import { DocumentSource, textsMatching } from './sources';
import { type DtoSpec, forget, makeDto } from './spec';
import { HOSTILE, objectOf } from './values';

/** What became of a fault: the check reports it; no value tells it from the sound schema; a reading covers it. */
export type Fate = 'found' | 'idle' | 'covered';

/** A schema with one fault. */
interface Fault {
  readonly name: string;
  readonly schema: JsonSchema;
}

/** Keywords that say nothing about what is accepted, and the ones that hold other schemas. */
const SILENT: readonly string[] = [
  '$schema',
  '$defs',
  '$ref',
  'title',
  'description',
  'examples',
  'default',
  'format',
];
const HOLDERS: readonly string[] = ['properties', '$defs'];
/** The definition of any JSON value belongs to no rule. */
const OF_NO_RULE = 'JsonValue';
const DOCUMENTS = 120;
const CALM = 12;

function without(node: JsonSchema, keyword: string): JsonSchema {
  return Object.fromEntries(Object.entries(node).filter(([key]) => key !== keyword));
}

/** The single faults of one keyword, as what the node becomes. */
function keywordFaults(
  node: JsonSchema,
  keyword: string,
  value: JsonValue,
): readonly (readonly [string, JsonSchema])[] {
  const becomes = (changed: JsonValue) => ({ ...node, [keyword]: changed });
  const dropped = ['dropped', without(node, keyword)] as const;
  if (typeof value === 'number') {
    const lower =
      keyword.startsWith('min') && value === 0 && keyword !== 'minimum'
        ? []
        : [['less', becomes(value - 1)] as const];
    return [dropped, ...lower, ['more', becomes(value + 1)]];
  }
  if (Array.isArray(value)) {
    return value.length < 2
      ? [dropped]
      : [
          dropped,
          ['without the first', becomes(value.slice(1))],
          ['without the last', becomes(value.slice(0, -1))],
        ];
  }
  if (keyword === 'pattern') return [dropped, ['or nothing', becomes(`(?:${String(value)})|^$`)]];
  if (value === 'number') return [dropped, ['integer', becomes('integer')]];
  if (value === 'integer') return [dropped, ['number', becomes('number')]];
  return [dropped];
}

/** All single faults of a node and of those within it; `put` puts a node back into the whole. */
function faultsWithin(
  node: JsonValue,
  at: string,
  put: (changed: JsonValue) => JsonSchema,
): readonly Fault[] {
  if (Array.isArray(node)) {
    return node.flatMap((one, index) =>
      faultsWithin(one, `${at}/${index}`, (changed) => put(node.with(index, changed))),
    );
  }
  if (!isJsonObject(node)) return [];
  return Object.entries(node).flatMap(([keyword, value]): readonly Fault[] => {
    const place = `${at}/${keyword}`;
    const putInto = (changed: JsonValue) => put({ ...node, [keyword]: changed });
    if (HOLDERS.includes(keyword) && isJsonObject(value)) {
      return Object.entries(value).flatMap(([name, one]) =>
        name === OF_NO_RULE
          ? []
          : faultsWithin(one, `${place}/${name}`, (changed) => putInto({ ...value, [name]: changed })),
      );
    }
    const own = SILENT.includes(keyword)
      ? []
      : keywordFaults(node, keyword, value).map(([what, changed]) => ({
          name: `${place} ${what}`,
          schema: put(changed),
        }));
    return keyword === 'enum' ? own : [...own, ...faultsWithin(value, place, putInto)];
  });
}

/** All single faults of a schema. */
function faultsOf(schema: JsonSchema): readonly Fault[] {
  const { required, properties } = schema;
  const all = isJsonObject(properties) ? Object.keys(properties) : [];
  const isFull = Array.isArray(required) && required.length === all.length;
  return [
    ...faultsWithin(schema, '', (changed) => (isJsonObject(changed) ? changed : schema)),
    ...(isFull ? [] : [{ name: '/required of all', schema: { ...schema, required: all } }]),
  ];
}

// A fault may leave what strict mode would call an oversight.
const ajv = new Ajv2020({ strict: false, strictNumbers: true, validateFormats: false, logger: false });

function compileLoosely(schema: JsonSchema): (value: unknown) => boolean {
  const validate = ajv.compile(schema);
  ajv.removeSchema(schema);
  return (value) => validate(value) === true;
}

/** What the contract would say if its gate had the fault too. */
function answersUnder(admitted: boolean, sound: Answers): Answers {
  if (admitted === sound.admitted) return sound;
  const violations = [{ path: '/v', rule: 'sabotage', message: '' }];
  return {
    ...sound,
    admitted,
    outcome: admitted ? { ok: true, value: undefined } : { ok: false, violations },
  };
}

/** A document with one key more or one key less, at any depth. */
function neighbours(value: JsonValue): readonly JsonValue[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((one, at) => neighbours(one).map((changed) => value.with(at, changed)));
  }
  const entries = Object.entries(value);
  return [
    objectOf([...entries, ['extra', 1]]),
    ...entries.map((_, at) => objectOf(entries.toSpliced(at, 1))),
    ...entries.flatMap(([key, one], at) =>
      neighbours(one).map((changed) => objectOf(entries.with(at, [key, changed]))),
    ),
  ];
}

/** Documents of a DTO with one property `v`: the usual ones, every sample, and every hostile value. */
function documentsOf(spec: DtoSpec, schema: JsonSchema): readonly string[] {
  const random = new Random(20260131);
  const source = new DocumentSource(spec, textsMatching(schema, 1), random);
  const uses = spec.properties.v?.uses ?? [];
  const samples = uses.flatMap(({ form }) => [...form.accepted, ...form.near]);
  const values = [...samples, ...HOSTILE].map((value) => objectOf([['v', value]]));
  const drawn = Array.from({ length: DOCUMENTS }, () => source.draw());
  const close = Array.from({ length: CALM }, () => source.draw('calm')).flatMap(neighbours);
  return [...new Set([objectOf([]), ...values, ...drawn, ...close].map(jsonText))];
}

/** Tries every fault of the schema of a DTO; under the empty name stands the schema without one. */
export async function tryFaults(spec: DtoSpec): Promise<ReadonlyMap<string, Fate>> {
  const { cls, all } = makeDto(spec);
  try {
    const contract = inputContract(cls);
    const admits = compileStrictly(contract.schema);
    const isLeft = leftToValidator(contract);
    const asked: { readonly document: JsonValue; readonly text: string; readonly sound: Answers }[] = [];
    for (const text of documentsOf(spec, contract.schema)) {
      const sound = {
        admitted: admits(JSON.parse(text)),
        outcome: await contract.parse(JSON.parse(text)),
        validator: await askValidator(cls, JSON.parse(text)),
      };
      asked.push({ document: JSON.parse(text), text, sound });
    }
    const fateOf = (schema: JsonSchema): Fate => {
      const admitsFaulty = compileLoosely(schema);
      const told = asked.map((one) => ({ ...one, admitted: admitsFaulty(JSON.parse(one.text)) }));
      const isFound = told.some(
        ({ document, sound, admitted }) =>
          'disagreement' in judge(spec, document, answersUnder(admitted, sound), isLeft),
      );
      if (isFound) return 'found';
      return told.every(({ sound, admitted }) => sound.admitted === admitted) ? 'idle' : 'covered';
    };
    const faults = [{ name: '', schema: contract.schema }, ...faultsOf(contract.schema)];
    return new Map(faults.map(({ name, schema }) => [name, fateOf(schema)]));
  } finally {
    forget(all);
  }
}
