/**
 * Where the JSON values of a DTO come from: samples, values drawn from the schema's patterns, small changes to
 * what was accepted, and noise.
 * Invariant: a document is an object as JSON.parse would make it.
 */
import fc from 'fast-check';
import type { JsonSchema, JsonValue } from 'toolcrib';
import type { Form } from './forms/form';
import type { Random } from './random';
import { type DtoSpec, type Holds, isList, type PropertySpec, type Use } from './spec';
import { HOSTILE, mutate, objectOf, PROTOTYPE_KEYS } from './values';

const MOST_LEARNT = 60;
const DRAWN = 30;
const LONGEST_PATTERN = 2_000;

/** How a document is meant to be: all fit, one property out of place, or anything. */
type Mood = 'calm' | 'wild';

/** Values of one level: of a property, or of the elements of an array. */
class Pool {
  private readonly good: JsonValue[];
  private readonly edges: readonly JsonValue[];

  constructor(
    forms: readonly Form[],
    private readonly drawn: readonly JsonValue[],
    private readonly random: Random,
  ) {
    // Of several forms the samples of one need not pass the others; what passes is learnt.
    this.good = forms.flatMap(({ accepted }) => accepted);
    this.edges = [...this.good, ...forms.flatMap(({ near }) => near)];
  }

  draw(mood: Mood): JsonValue {
    const { random, good, edges, drawn } = this;
    const known = good.length === 0 ? HOSTILE : good;
    const roll = random.next() - (mood === 'calm' ? 0 : 0.3);
    if (roll > 0.6) return random.pick(known);
    if (roll > 0.35) return mutate(random.pick(known), random);
    if (roll > 0.2 && drawn.length > 0) return random.pick(drawn);
    if (mood === 'calm') return random.pick(known);
    if (roll > 0) return random.pick(edges.length === 0 ? HOSTILE : edges);
    return roll > -0.1 && edges.length > 0 ? mutate(random.pick(edges), random) : random.pick(HOSTILE);
  }

  learn(value: JsonValue): void {
    if (this.good.length < MOST_LEARNT) this.good.push(value);
    else this.good[this.random.below(MOST_LEARNT)] = value;
  }
}

/** Values of one property; undefined leaves it out. */
class PropertySource {
  private readonly whole: Pool;
  private readonly elements: Pool;

  constructor(
    private readonly spec: PropertySpec,
    drawn: readonly JsonValue[],
    private readonly random: Random,
  ) {
    const formsOf = (uses: readonly Use[]) => uses.map(({ form }) => form);
    this.whole = new Pool(formsOf(spec.uses.filter(({ each }) => !each)), drawn, random);
    this.elements = new Pool(formsOf(spec.uses.filter(({ each }) => each)), drawn, random);
  }

  draw(mood: Mood): JsonValue | undefined {
    const { spec, random } = this;
    const isSpared = spec.optional === true || spec.initial !== undefined;
    if (isSpared && random.chance(0.15)) return random.chance(0.5) && spec.optional ? null : undefined;
    if (mood === 'wild' && random.chance(0.08)) return undefined;
    if (mood === 'wild' && random.chance(0.06)) return random.pick(HOSTILE);
    const { samples = [] } = spec;
    if (samples.length > 0 && random.chance(mood === 'calm' ? 0.8 : 0.3)) return random.pick(samples);
    const fits = mood === 'calm' || random.chance(0.85);
    if (isList(spec) !== fits) return this.one(mood);
    if (spec.uses.some(({ each }) => !each) && random.chance(0.25)) return this.whole.draw(mood);
    return Array.from({ length: random.below(4) }, () => this.one(mood));
  }

  learn(value: JsonValue): void {
    if (!isList(this.spec)) this.whole.learn(value);
    else if (Array.isArray(value)) value.slice(0, 2).map((one) => this.elements.learn(one));
  }

  private one(mood: Mood): JsonValue {
    const { holds } = this.spec;
    if (holds !== undefined) return drawHeld(holds, mood, this.random);
    return isList(this.spec) ? this.elements.draw(mood) : this.whole.draw(mood);
  }
}

function drawHeld(holds: Holds, mood: Mood, random: Random): JsonValue {
  if (holds.kind === 'dto') return new DocumentSource(holds.dto, [], random).draw(mood);
  const [name, variant] = random.pick(Object.entries(holds.variants));
  const drawn = new DocumentSource(variant, [], random).draw(mood);
  if (mood === 'calm' || random.chance(0.8)) return withMember(drawn, holds.by, name);
  return random.chance(0.5) ? drawn : withMember(drawn, holds.by, random.pick(HOSTILE));
}

function withMember(object: JsonValue, key: string, value: JsonValue): JsonValue {
  const entries = typeof object === 'object' && object !== null ? Object.entries(object) : [];
  return objectOf([...entries.filter(([name]) => name !== key), [key, value]]);
}

/** Documents of one DTO. */
export class DocumentSource {
  private readonly properties: readonly (readonly [string, PropertySource])[];

  constructor(
    { properties }: DtoSpec,
    drawn: readonly JsonValue[],
    private readonly random: Random,
  ) {
    this.properties = Object.entries(properties).map(([name, one]) => [
      name,
      new PropertySource(one, drawn, random),
    ]);
  }

  draw(mood: Mood = this.random.chance(0.55) ? 'calm' : 'wild'): JsonValue {
    const { random } = this;
    // One property out of place is refused for one reason, which is what tells two schemas apart.
    const odd = mood === 'wild' && random.chance(0.7) ? random.below(this.properties.length) : undefined;
    const entries = this.properties.flatMap(([name, source], at): [string, JsonValue][] => {
      const value = source.draw(odd === undefined || odd === at ? mood : 'calm');
      return value === undefined ? [] : [[name, value]];
    });
    if (mood === 'calm' || random.chance(0.9)) return objectOf(entries);
    const key = random.pick(['extra', 'a/b', ...PROTOTYPE_KEYS]);
    return objectOf([...entries, [key, random.pick(HOSTILE)]]);
  }

  /** Remembers a document that class-validator accepted. */
  learn(document: JsonValue): void {
    if (typeof document !== 'object' || document === null) return;
    const given = new Map<string, JsonValue>(Object.entries(document));
    for (const [name, source] of this.properties) {
      const value = given.get(name);
      if (value !== undefined) source.learn(value);
    }
  }
}

function patternsIn(schema: JsonValue): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own = Object.entries(schema).flatMap(([key, one]) => (key === 'pattern' ? [String(one)] : []));
  return [...own, ...Object.values(schema).flatMap(patternsIn)];
}

function drawText(pattern: string, seed: number): readonly string[] {
  // fast-check looks for what a negated class takes among ASCII alone, and looks for ever where there is none.
  if (pattern.includes('[^') || pattern.length > LONGEST_PATTERN) return [];
  try {
    return fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed, numRuns: DRAWN });
  } catch {
    // fast-check cannot draw from every pattern: look-around is among what it leaves out.
    return [];
  }
}

const DRAWN_TEXTS = new Map<string, readonly string[]>();

/** Texts that match the patterns of a schema, drawn once for each pattern since that takes long. */
export function textsMatching(schema: JsonSchema, seed: number): readonly string[] {
  return [...new Set(patternsIn(schema))].flatMap((pattern) => {
    const texts = DRAWN_TEXTS.get(pattern) ?? drawText(pattern, seed);
    DRAWN_TEXTS.set(pattern, texts);
    return texts;
  });
}
